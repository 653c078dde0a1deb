/** Runs work after the work before it has ended, also if that has failed. @returns the result of the work */
export type Queue = <Result>(work: () => Promise<Result>) => Promise<Result>

/** Creates a queue, for changes whose responses must arrive in the order of the changes. */
export function createQueue(): Queue {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const ended = last.then(work, work)
    last = ended
    return ended
  }
}
