import {
  createContext,
  lazy,
  Suspense,
  useCallback,
  useContext,
  useState,
  type ReactNode,
} from "react";
import { useTranslation } from "react-i18next";

export interface Notice {
  message: string;
  /** Good news if left out. */
  kind?: "good" | "bad";
}

type Notify = (notice: Notice) => void;

const NoticesContext = createContext<Notify | undefined>(undefined);

const NoticesRegion = lazy(async () => ({
  default: (await import("./notices-region.tsx")).NoticesRegion,
}));

/** Brings short messages about what has just been done; their code is loaded with the first. */
export function NoticesProvider({ children }: { children: ReactNode }) {
  const [isWanted, setWanted] = useState(false);
  const { t } = useTranslation();
  const notify = useCallback(
    (notice: Notice) => {
      setWanted(true);
      void import("./notices-region.tsx").then(({ showNotice }) => showNotice(notice, t("close")));
    },
    [t],
  );
  return (
    <NoticesContext value={notify}>
      {children}
      <Suspense fallback={null}>{isWanted && <NoticesRegion />}</Suspense>
    </NoticesContext>
  );
}

/** Says in the corner of the page what was done, also when the page changes at once. */
export function useNotify(): Notify {
  const notify = useContext(NoticesContext);
  if (!notify) throw new Error("There is no NoticesProvider around this component");
  return notify;
}
