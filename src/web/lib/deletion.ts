import { useIsMutating } from "@tanstack/react-query";

/** Of the mutation that deletes what is at a path of the API. */
export function deletionKey(path: string): readonly string[] {
  return ["delete", path];
}

/** Whether it is being deleted: nothing of it must be asked for any more. */
export function useIsBeingDeleted(path: string): boolean {
  return useIsMutating({ mutationKey: deletionKey(path), exact: true }) > 0;
}
