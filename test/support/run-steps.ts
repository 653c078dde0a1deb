/** A part of a run, in a list where it comes behind the steps that it names. */
export interface Step {
  readonly name: string
  /** begins when these have ended, however they ended */
  readonly after?: readonly string[]
  /** begins when this one has ended, and is skipped where it failed: its own failures would say nothing */
  readonly needs?: string
}

/**
 * Runs steps at the same time, but for what they name in `after` and `needs`; names that are not in the list are ignored.
 * @param run resolves with whether the step succeeded
 * @param skip gets each step that is not run, with the one that failed
 */
export async function runSteps<S extends Step>(
  steps: readonly S[],
  run: (step: S) => Promise<boolean>,
  skip: (step: S, failed: string) => void,
): Promise<void> {
  const outcomes = new Map<string, Promise<boolean>>()
  const runInTurn = async (step: S) => {
    for (const name of step.after ?? []) await outcomes.get(name)
    if (step.needs === undefined || (await outcomes.get(step.needs)) !== false) return run(step)
    skip(step, step.needs)
    return false
  }
  for (const step of steps) outcomes.set(step.name, runInTurn(step))
  await Promise.all(outcomes.values())
}
