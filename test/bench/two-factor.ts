import { randomUUID } from 'node:crypto'
import { startStack, type LocalStack } from '../support/local-stack.ts'
import { enrol, redeem } from '../support/two-factor.ts'
import { median, ms, percentile, type Bench } from './figures.ts'

const addresses = 12
/** fewer than lock an address: a locked one is refused at once, known or not */
const triesEach = 8
const equalShare = { from: 0.4, to: 0.6 }

const kinds = ['a wrong code', 'an account without two-factor', 'an unknown address'] as const
type Kind = (typeof kinds)[number]

async function prepare(stack: LocalStack): Promise<Record<Kind, string[]>> {
  const known: string[] = []
  const plain: string[] = []
  for (let count = 0; count < addresses; count += 1) {
    const user = await stack.newUser()
    await enrol(user)
    known.push(user.email)
    plain.push((await stack.newUser()).email)
  }
  const unknown = known.map(() => `${randomUUID()}@example.com`)
  return { 'a wrong code': known, 'an account without two-factor': plain, 'an unknown address': unknown }
}

/** Measures sequentially; the order of the kinds changes with each round. */
async function measureTimes(
  stack: LocalStack,
  emails: Record<Kind, string[]>,
): Promise<Record<Kind, number[]>> {
  const times: Record<Kind, number[]> = {
    'a wrong code': [],
    'an account without two-factor': [],
    'an unknown address': [],
  }
  for (let round = 0; round < addresses * triesEach; round += 1)
    for (let turn = 0; turn < kinds.length; turn += 1) {
      const kind = kinds[(turn + round) % kinds.length] ?? kinds[0]
      const email = emails[kind][round % addresses]
      const startedAt = performance.now()
      const { status } = await redeem(stack, { email, token: '0000000000', isBackupCode: true })
      times[kind].push(performance.now() - startedAt)
      if (status !== 400) throw new Error(`${kind} answered ${status}`)
    }
  return times
}

/** How often one of these takes longer than one of those: 0.5 when they cannot be distinguished. */
function shareOfSlower(these: readonly number[], those: readonly number[]): number {
  const wins = these.flatMap((one) => those.map((other) => (one > other ? 1 : one === other ? 0.5 : 0)))
  return wins.reduce((sum: number, win) => sum + win, 0) / wins.length
}

export const twoFactorBench: Bench = {
  name: 'two-factor',
  title: 'Response times of verify-2fa',
  async run() {
    // all callers together may try 60 backup codes a minute
    const stack = await startStack({ env: { RATE_LIMIT_FACTOR: '100' } })
    try {
      const times = await measureTimes(stack, await prepare(stack))
      const share = shareOfSlower(times['a wrong code'], times['an unknown address'])
      return [
        ...kinds.map((kind) => ({
          what: `Response time for ${kind}, p5 / median / p95 (${times[kind].length} calls)`,
          measured: [percentile(times[kind], 0.05), median(times[kind]), percentile(times[kind], 0.95)]
            .map(ms)
            .join(' / '),
        })),
        {
          what: 'How often a wrong code takes longer than an unknown address (0.5: indistinguishable)',
          measured: share.toFixed(2),
          budget: `${equalShare.from} to ${equalShare.to}`,
          met: share >= equalShare.from && share <= equalShare.to,
        },
      ]
    } finally {
      await stack.stop()
    }
  },
}
