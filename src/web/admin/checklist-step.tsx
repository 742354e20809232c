import { Button, VisuallyHidden } from "@mantine/core";
import { IconCheck } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Link } from "wouter";
import classes from "./admin.module.css";

interface ChecklistStepProps {
  title: string;
  hint: ReactNode;
  isDone: boolean;
  /** The one to be done first. */
  isNext?: boolean;
  /** The word on the button and where it leads, while the step is not done. */
  action?: string;
  href?: string;
}

/** One thing that is worth doing, ticked when it is. */
export function ChecklistStep(props: ChecklistStepProps) {
  const { title, hint, isDone, isNext = false, action, href } = props;
  const { t } = useTranslation("admin");
  return (
    <li className={classes.step}>
      <span className={classes.mark} data-done={isDone || undefined}>
        {isDone && <IconCheck size={16} stroke={2.5} aria-hidden />}
      </span>
      <div>
        <p className={classes.stepTitle}>
          {title}
          <VisuallyHidden> {t(isDone ? "checklist.done" : "checklist.open")}</VisuallyHidden>
        </p>
        <div className={classes.stepHint}>{hint}</div>
      </div>
      {!isDone && href !== undefined && (
        <Button component={Link} href={href} variant={isNext ? "filled" : "default"} size="xs">
          {action}
        </Button>
      )}
    </li>
  );
}
