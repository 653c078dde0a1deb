/** A part of a test run; in the list it comes after the steps that it names. */
export interface Step {
  readonly name: string
  /** starts when these have ended, whether or not they succeeded */
  readonly after?: readonly string[]
  /** starts when this one has succeeded, otherwise is skipped: its failures would mean nothing */
  readonly needs?: string
}

/**
 * Runs steps concurrently, except for their `after` and `needs`; names that are not in the list are ignored.
 * @param run resolves with whether the step succeeded
 * @param onSkip is called with each skipped step and the one that it needs
 */
export async function runSteps<S extends Step>(
  steps: readonly S[],
  run: (step: S) => Promise<boolean>,
  onSkip: (step: S, needed: string) => void,
): Promise<void> {
  const outcomes = new Map<string, Promise<boolean>>()
  const runInTurn = async (step: S) => {
    for (const name of step.after ?? []) await outcomes.get(name)
    if (step.needs === undefined || (await outcomes.get(step.needs)) !== false) return run(step)
    onSkip(step, step.needs)
    return false
  }
  for (const step of steps) outcomes.set(step.name, runInTurn(step))
  await Promise.all(outcomes.values())
}
