import { Skeleton, Stack } from "@mantine/core";
import { CardSkeleton } from "./card-skeleton.tsx";

/** Stands for a page whose code is on its way. */
export function PageSkeleton() {
  return (
    <Stack gap="lg" aria-busy="true">
      <Skeleton height={34} width="min(20rem, 70%)" />
      <CardSkeleton />
      <CardSkeleton />
    </Stack>
  );
}
