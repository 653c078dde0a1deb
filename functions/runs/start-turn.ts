import { AppError } from '../platform/errors.ts'
import { SessionNotCreated } from '../conversations/errors.ts'
import type { Stores } from '../conversations/stores.ts'
import { beginTurn, type BegunTurn } from './begin-turn.ts'
import { RunChanged, RunInProgress } from './errors.ts'
import { loadTurn, repairTurn, type Loaded, type TurnRequest } from './load-turn.ts'
import { planTurn, type TurnPlan } from './plan-turn.ts'
import { isActive } from './run.ts'
import { waitForRun } from './wait-for-run.ts'

/** What a message leads to: a run of its own, the one it already has, or the reply it already got. */
export type Turn = BegunTurn | Extract<TurnPlan, { kind: 'running' | 'ended' }>

/** Requests that meet at the same moment look again; more often than this is no chance meeting. */
const tries = 3

/**
 * Takes a message into its conversation. When this resolves with `started`, the run is claimed and the message is stored; the
 * conversation's row follows (`publishTurn`), beside the model.
 * @param found the conversation as it was just read
 * @throws RunInProgress while another message is being answered (a run without a sign of life is waited for), SessionNotFound for a deleted
 *   conversation, SessionNotCreated when its first message could not be stored
 */
export async function startTurn(stores: Stores, request: TurnRequest, found: Loaded): Promise<Turn> {
  let loaded = found
  for (let attempt = 1; ; attempt += 1) {
    loaded = await repairTurn(stores, request, loaded)
    const plan = planTurn(loaded, request, Date.now())
    if (plan.kind === 'running' || plan.kind === 'ended') return plan
    if (plan.kind === 'busy') {
      const now = await waitForRun(stores, plan.run)
      if (attempt >= tries || (now && isActive(now)))
        throw new RunInProgress(`run ${plan.run.runId} is ${now?.status}`)
    } else {
      try {
        return await beginTurn(stores, plan)
      } catch (error) {
        if (!(error instanceof RunChanged && attempt < tries)) throw notStored(loaded, request, error)
      }
    }
    loaded = await loadTurn(stores, request)
  }
}

/** What the user is told when the message of a turn could not be stored. */
const notStored = ({ session }: Loaded, { sessionId }: TurnRequest, error: unknown) =>
  error instanceof AppError || session
    ? error
    : new SessionNotCreated(`conversation ${sessionId}`, { cause: error })
