import { TooManyAccounts } from './errors.ts'

/** The gateway waits 29 seconds, after which nobody is told anything. */
const timeMs = 24_000

/** Starts the time in which something can be read of every account. @returns throws TooManyAccounts once it is over */
export function startAccountsDeadline(): () => void {
  const endsAtMs = performance.now() + timeMs
  return () => {
    if (performance.now() > endsAtMs) throw new TooManyAccounts('the accounts could not be read in time')
  }
}
