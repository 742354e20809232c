import { ActionIcon, useMantineColorScheme, type MantineColorScheme } from "@mantine/core";
import { IconBrightness, IconMoon, IconSun } from "@tabler/icons-react";
import { useTranslation } from "react-i18next";

const next: Readonly<Record<MantineColorScheme, MantineColorScheme>> = {
  auto: "light",
  light: "dark",
  dark: "auto",
};
const icons = { auto: IconBrightness, light: IconSun, dark: IconMoon } as const;

/** Goes through: as the system, light, dark. */
export function SchemeSwitch() {
  const { t } = useTranslation("shell");
  const { colorScheme, setColorScheme } = useMantineColorScheme();
  const Icon = icons[colorScheme];
  const label = t(`scheme.${colorScheme}`);
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="lg"
      aria-label={label}
      title={label}
      onClick={() => setColorScheme(next[colorScheme])}
    >
      <Icon size={19} stroke={1.7} aria-hidden />
    </ActionIcon>
  );
}
