import { Skeleton, Stack } from "@mantine/core";

/** Stands for a table whose rows are on their way. */
export function TableSkeleton({ rows = 6 }: { rows?: number }) {
  return (
    <Stack gap="xs" aria-hidden>
      {Array.from({ length: rows }, (_, row) => (
        <Skeleton key={row} height={44} radius="md" />
      ))}
    </Stack>
  );
}
