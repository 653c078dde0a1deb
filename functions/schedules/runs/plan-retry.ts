import type { Run } from '../../conversations/store/run.ts'
import { modelErrors } from '../../models/model-errors.ts'
import type { ScheduleRow } from '../schedule-row.ts'

const minuteMs = 60_000

/** After its n-th failure the model is asked again after so many minutes, so for half an hour. */
const retryMinutes = [1, 2, 4, 8, 15]
/** Who asks for a longer wait is not asked again: the next run may be due by then. */
const maxWaitMs = 60 * minuteMs

/** What is often over within minutes: the model is busy (429, 503), is being loaded, or its server is restarted. */
const passingCodes: readonly string[] = [
  modelErrors.busy,
  modelErrors.loading,
  modelErrors.unreachable,
  modelErrors.broken,
].map(({ code }) => code)

type Handed = NonNullable<ScheduleRow['handed']>

/**
 * Plans another attempt at a run whose model failed before it had written or done anything. Whoever starts a run by hand is there, and tries
 * again.
 * @param params with the `seconds` for which the server asks to wait, if it does
 * @returns what the row then has of the run; undefined: the run has failed
 */
export function planRetry(
  handed: Handed,
  { code, params }: NonNullable<Run['errorCode']>,
  nowMs: number,
): Handed | undefined {
  const { retries = 0, by_hand: isByHand } = handed
  const minutes = retryMinutes[retries]
  if (minutes === undefined || isByHand || !passingCodes.includes(code)) return undefined
  const askedMs = Number(params?.['seconds'] ?? 0) * 1_000
  if (askedMs > maxWaitMs) return undefined
  const retry_at = nowMs + Math.max(askedMs, minutes * minuteMs)
  return { ...handed, retries: retries + 1, retry_at, because: code }
}
