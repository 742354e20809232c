import { Skeleton } from "@mantine/core";

/** Stands for a card of data that is on its way. @param height px */
export function CardSkeleton({ height = 120 }: { height?: number }) {
  return <Skeleton height={height} radius="lg" aria-hidden />;
}
