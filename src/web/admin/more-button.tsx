import { Button, Group } from "@mantine/core";
import { useTranslation } from "react-i18next";

interface MoreButtonProps {
  list: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown };
}

/** Brings the next page of a list, while there is one. */
export function MoreButton({ list }: MoreButtonProps) {
  const { t } = useTranslation("admin");
  if (!list.hasNextPage) return null;
  return (
    <Group justify="center" mt="md">
      <Button
        variant="default"
        loading={list.isFetchingNextPage}
        onClick={() => void list.fetchNextPage()}
      >
        {t("more")}
      </Button>
    </Group>
  );
}
