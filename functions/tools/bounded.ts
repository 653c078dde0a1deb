import { createContext, Script } from 'node:vm'

const room = createContext({ work: undefined })
const script = new Script('work()')

/**
 * Runs synchronous work that strangers' input may make endless, and ends it after its time.
 * @throws Error with the code ERR_SCRIPT_EXECUTION_TIMEOUT, or what the work throws
 */
export function bounded<T>(work: () => T, timeoutMs: number): T {
  room['work'] = work
  try {
    return script.runInContext(room, { timeout: timeoutMs }) as T
  } finally {
    room['work'] = undefined
  }
}
