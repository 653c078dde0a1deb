import { setTimeout as sleep } from 'node:timers/promises'
import { startCatalogueSources } from './catalogue-sources.ts'
import {
  type CallName,
  interceptCalls,
  type Fault,
  type FaultKind,
  faultKindsFor,
} from './call-interceptor.ts'
import { movedDate } from './moved-date.ts'
import { type InProcessProduct, startInProcessProduct } from './in-process-product.ts'
import { openStoredDataChecker } from './stored-data-checker.ts'
import { revisit, type PathContext, writePaths, type WritePath } from './write-paths.ts'

/** After this time a lost run and a half-created credential are cleaned up. */
const laterMs = 11 * 60_000
/** A user may have 20 custom tools, and a fault may leave two. */
const maxFaultsPerUser = 8
/** A caller that waits longer than this counts as hanging. */
const patienceMs = 45_000

interface Finding {
  path: string
  fault: Fault | undefined
  problem: string
}

export interface FaultReport {
  paths: number
  calls: number
  faults: number
  /** faults whose call did not occur again */
  missed: number
  acknowledged: number
  findings: Finding[]
}

export interface FaultOptions {
  /** faults to inject into a call; default all */
  getFaultKinds?: (call: CallName, index: number, path: string) => readonly FaultKind[]
  /** write paths to run; default all */
  isSelected?: (path: string, index: number) => boolean
  onPath?: (name: string, calls: readonly CallName[]) => void
  onFinding?: (finding: Finding) => void
  onFault?: (fault: Fault, tookMs: number, refusal: string | undefined) => void
}

/** The write paths without those that take seconds by themselves. */
export const quickPaths: readonly string[] = Object.keys(writePaths).filter(
  (path) => !/a long reply|deleting the account|signing out|stopping a reply|refreshing tokens/.test(path),
)

/** One fault for every twelfth call. The first such call and the kind differ between paths. Without `service-down`, which takes too long. */
export function everyTwelfthCall(call: CallName, index: number, path: string): readonly FaultKind[] {
  if (index % 12 !== path.length % 12) return []
  const kinds = faultKindsFor(call).filter((kind) => kind !== 'service-down')
  const kind = kinds[(index + path.length) % kinds.length]
  return kind ? [kind] : []
}

/**
 * Runs every write path once without a fault and records its calls, then once for each call and each kind of fault. Checks each time
 * that acknowledged data is there, that stored data is consistent, and that a repetition succeeds.
 */
export async function runFaults({
  getFaultKinds = faultKindsFor,
  isSelected = () => true,
  onPath,
  onFinding,
  onFault,
}: FaultOptions = {}): Promise<FaultReport> {
  const sources = await startCatalogueSources()
  const product = await startInProcessProduct({
    GITHUB_API_URL: sources.url,
    MCP_REGISTRY_URL: sources.url,
    RATE_LIMIT_FACTOR: '100000',
    DEMO_TOKENS_PER_SECOND: '6000',
  })
  const services = new Map(
    Object.entries({ ...(await product.endpoints()), sources: sources.url }).flatMap(([name, url]) =>
      typeof url === 'string' && URL.canParse(url) ? [[Number(new URL(url).port), name] as const] : [],
    ),
  )
  const interceptor = interceptCalls(services)
  const dataChecker = await openStoredDataChecker(product)
  // on Lambda an unhandled rejection ends the execution environment
  const unhandledRejections: string[] = []
  const onUnhandledRejection = (error: unknown) =>
    void unhandledRejections.push(`an unhandled rejection: ${String(error)}`)
  process.on('unhandledRejection', onUnhandledRejection)
  const report: FaultReport = { paths: 0, calls: 0, faults: 0, missed: 0, acknowledged: 0, findings: [] }
  try {
    for (const [index, [name, path]] of Object.entries(writePaths).entries())
      if (isSelected(name, index)) await tryPath(name, path)
  } finally {
    process.off('unhandledRejection', onUnhandledRejection)
    interceptor.restore()
    dataChecker.close()
    await product.stop()
    await sources.close()
  }
  return report

  async function tryPath(name: string, path: WritePath): Promise<void> {
    const addFinding = (fault: Fault | undefined, problem: string) => {
      report.findings.push({ path: name, fault, problem })
      onFinding?.({ path: name, fault, problem })
    }
    const arrange = async (): Promise<PathContext> => {
      const context = { product, user: await product.newUser() }
      await path.arrange?.(context)
      return context
    }
    let context = await arrange()
    let arrangedAt = performance.now()
    let faultsOfCurrentUser = 0
    const prepareRequest = async () => {
      // a token is valid for 15 minutes, and the clock moves by `laterMs`
      const isTokenOld = performance.now() - arrangedAt > 3 * 60_000
      if (path.ownUser || isTokenOld || faultsOfCurrentUser >= maxFaultsPerUser) {
        context = await arrange()
        arrangedAt = performance.now()
        faultsOfCurrentUser = 0
      }
      faultsOfCurrentUser += 1
      return path.make(context)
    }
    // warms up caches that many requests share
    const first = await prepareRequest()
    await path.go(context, first)
    await waitForFunctions(product)
    const made = await prepareRequest()
    const recorded = interceptor.record()
    await path.go(context, made)
    await waitForFunctions(product)
    const calls = recorded()
    for (const what of (await path.missing?.(context, made)) ?? [])
      addFinding(undefined, `without a fault, missing: ${what}`)
    if (calls.length === 0) addFinding(undefined, 'the path makes no call')
    report.paths += 1
    report.calls += calls.length
    onPath?.(name, calls)
    for (const [index, call] of calls.entries())
      for (const kind of getFaultKinds(call, index, name)) {
        const problems = await tryFault({ call, kind }, index % 2 === 0).catch((error: unknown) => [
          String(error),
        ])
        problems.push(...unhandledRejections.splice(0))
        for (const problem of new Set(problems)) addFinding({ call, kind }, problem)
        // damage from one fault must not be reported for every later one
        if (problems.length > 0) context = await arrange()
      }

    async function tryFault(fault: Fault, comesBackFirst: boolean): Promise<string[]> {
      const made = await prepareRequest()
      const problems: string[] = []
      const checkMissing = async (when: string, what: Promise<string[]> | undefined) => {
        for (const missing of (await what) ?? []) problems.push(`${when}, missing: ${missing}`)
      }
      const startedAt = performance.now()
      const disarm = interceptor.arm(fault)
      const refusal = await withTimeout(path.go(context, made)).then(
        () => undefined,
        (error: unknown) => String(error),
      )
      if (refusal?.includes(tooLong)) problems.push(`no answer: ${refusal}`)
      await waitForFunctions(product).catch((error: unknown) => problems.push(String(error)))
      report.faults += 1
      onFault?.(fault, performance.now() - startedAt, refusal)
      if (disarm() === 0) report.missed += 1
      if (refusal === undefined) {
        report.acknowledged += 1
        await checkMissing('acknowledged', path.missing?.(context, made))
      }
      await runLater(path.repeatAfterMs ?? laterMs, async () => {
        product.retryNow()
        await waitForFunctions(product)
        if (comesBackFirst) {
          await revisit(context, made)
          await checkMissing('when somebody comes back', path.always?.(context, made))
        }
        if (refusal !== undefined) {
          const again = path.again ? path.again(context, made) : path.go(context, made)
          await withTimeout(again).catch((error: unknown) =>
            problems.push(`the same once more fails: ${String(error)} (before: ${refusal})`),
          )
        }
        await waitForFunctions(product)
        if (refusal !== undefined) await checkMissing('repeated', path.missing?.(context, made))
        await checkMissing('in the end', path.always?.(context, made))
      })
      await runLater(laterMs, async () => {
        await revisit(context, made)
        problems.push(...(await dataChecker.findProblems(context.user.sub)))
      })
      return problems
    }
  }
}

const tooLong = 'too long'

async function withTimeout(work: Promise<unknown>): Promise<unknown> {
  const timer = new AbortController()
  const limit = sleep(patienceMs, undefined, { signal: timer.signal }).then(() => {
    throw new Error(tooLong)
  })
  limit.catch(() => undefined)
  return Promise.race([work, limit]).finally(() => timer.abort())
}

/** Waits until all functions have ended. */
async function waitForFunctions({ countRunning }: InProcessProduct): Promise<void> {
  const endsAt = performance.now() + patienceMs
  while (countRunning() > 0) {
    if (performance.now() > endsAt) throw new Error('a function does not end')
    await sleep(2)
  }
}

/** Runs something as if that much time had passed. */
async function runLater(byMs: number, work: () => Promise<void>): Promise<void> {
  const real = Date
  globalThis.Date = movedDate(() => byMs)
  try {
    await work()
  } finally {
    globalThis.Date = real
  }
}
