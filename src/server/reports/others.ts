/** Other processes that take reports of the same nodes. */
export interface Others {
  /** Whether there are none. */
  readonly isAlone: boolean;
  /** Resolves once all that was committed before the call is known here. */
  catchUp(): Promise<void>;
  /** Something was committed here. Never throws. */
  tell(): void;
}

export const nobodyElse: Others = {
  isAlone: true,
  catchUp: () => Promise.resolve(),
  tell: () => {},
};
