import { createTheme, type CSSVariablesResolver, type MantineColorsTuple } from "@mantine/core";

const pine: MantineColorsTuple = [
  "#eef8f5",
  "#d8efe8",
  "#b0ddd1",
  "#84cab9",
  "#5bb8a3",
  "#37a08a",
  "#1b8571",
  "#0f6b5f",
  "#0b564d",
  "#08423c",
];

/** Grey with a breath of green, from text on dark ground to the ground itself. */
const dark: MantineColorsTuple = [
  "#d5dcda",
  "#b9c3c0",
  "#9aa6a2",
  "#6d7976",
  "#3a4543",
  "#2c3634",
  "#202928",
  "#171f1e",
  "#111817",
  "#0c1211",
];

const gray: MantineColorsTuple = [
  "#f7f9f8",
  "#f0f3f2",
  "#e3e8e6",
  "#d3dad8",
  "#bcc5c2",
  "#8f9a97",
  "#66716e",
  "#4c5654",
  "#333c3a",
  "#1d2524",
];

/** Filled shades dark enough for white words. */
const red: MantineColorsTuple = [
  "#fdf0ee",
  "#fbdedb",
  "#f5bab4",
  "#ee948b",
  "#e67368",
  "#df5a4e",
  "#d6493f",
  "#b3261e",
  "#96201a",
  "#7a1a15",
];

const sans =
  'system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", "PingFang SC", "Hiragino Sans GB", ' +
  '"Microsoft YaHei UI", "Microsoft YaHei", "Noto Sans CJK SC", "Noto Sans SC", ' +
  '"WenQuanYi Micro Hei", sans-serif';
const mono =
  'ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "Liberation Mono", monospace';

export const theme = createTheme({
  colors: { pine, dark, gray, red },
  primaryColor: "pine",
  primaryShade: 7,
  autoContrast: true,
  defaultRadius: "md",
  radius: { xs: "3px", sm: "5px", md: "8px", lg: "12px", xl: "18px" },
  fontFamily: sans,
  fontFamilyMonospace: mono,
  headings: {
    fontFamily: sans,
    fontWeight: "640",
    sizes: {
      h1: { fontSize: "1.75rem", lineHeight: "1.25" },
      h2: { fontSize: "1.2rem", lineHeight: "1.35" },
      h3: { fontSize: "1.025rem", lineHeight: "1.4" },
    },
  },
  focusRing: "auto",
  cursorType: "pointer",
  respectReducedMotion: true,
  components: {
    // Its head is a <header>, which outside of a section would be the banner of the page.
    Modal: { defaultProps: { attributes: { header: { role: "presentation" } } } },
  },
});

/** Alerts of the library in our colours: its own yellow is too pale to read. */
const alerts = {
  "--mantine-color-yellow-light": "var(--wp-warn-soft)",
  "--mantine-color-yellow-light-color": "var(--wp-warn)",
  "--mantine-color-red-light": "var(--wp-bad-soft)",
  "--mantine-color-red-light-color": "var(--wp-bad)",
};

/** Colours that both schemes name alike; each pair passes WCAG 2.2 AA on both grounds. */
export const toCssVariables: CSSVariablesResolver = () => ({
  variables: {},
  light: {
    ...alerts,
    "--mantine-color-text": gray[9],
    "--mantine-color-dimmed": "#586360",
    "--mantine-color-placeholder": "#66716e",
    "--mantine-color-error": "#b3261e",
    "--mantine-color-anchor": pine[7],
    "--mantine-color-default-border": gray[3],
    "--wp-ground": "#f4f6f5",
    "--wp-surface": "#ffffff",
    "--wp-sunken": "#f0f3f2",
    "--wp-line": gray[2],
    "--wp-accent": pine[7],
    "--wp-accent-soft": pine[0],
    "--wp-good": "#166f41",
    "--wp-warn": "#96610a",
    "--wp-warn-fill": "#e0a326",
    "--wp-bad": "#b3261e",
    "--wp-bad-fill": "#d6493f",
    "--wp-good-soft": "#e5f4ec",
    "--wp-warn-soft": "#fbf1dc",
    "--wp-bad-soft": "#fbe9e7",
    "--wp-second": "#3564a8",
  },
  dark: {
    ...alerts,
    "--mantine-color-text": "#dfe6e4",
    "--mantine-color-dimmed": "#a1adaa",
    "--mantine-color-placeholder": "#8c9895",
    "--mantine-color-error": "#ff8a80",
    "--mantine-color-anchor": pine[3],
    "--mantine-color-default-border": dark[4],
    "--wp-ground": dark[9],
    "--wp-surface": dark[7],
    "--wp-sunken": dark[8],
    "--wp-line": dark[5],
    "--wp-accent": pine[4],
    "--wp-accent-soft": "#14312c",
    "--wp-good": "#5fcf95",
    "--wp-warn": "#e8b54a",
    "--wp-warn-fill": "#d79a25",
    "--wp-bad": "#ff8a80",
    "--wp-bad-fill": "#e5594e",
    "--wp-good-soft": "#12301f",
    "--wp-warn-soft": "#33270c",
    "--wp-bad-soft": "#3a1714",
    "--wp-second": "#8ab4f0",
  },
});
