import { parseJson } from '#shared/parse-json.ts'
import * as z from 'zod'
import type { StackLocation } from '../doctor/stacks.ts'
import type { Environment } from './bootstrap-role.ts'

const sha256 = z.string().regex(/^[0-9a-f]{64}$/)

const recordedStack = z.looseObject({
  name: z.string(),
  region: z.string(),
  /** its ARN: a stack that was deleted and created again is another one */
  id: z.string(),
  /** of its template in the bucket of the CDK's bootstrap, where the deployment stored it */
  templateKey: z.string().regex(/^[0-9a-f]{64}\.json$/),
  /** of `hashTemplate` */
  templateHash: sha256,
  parameters: z.record(z.string(), z.string()),
})

/** What `npm run deploy` stores of a release whose smoke test has passed. */
export const releaseRecord = z.looseObject({
  format: z.literal(1),
  deployedAt: z.iso.datetime(),
  version: z.string().regex(/^[\w.+-]{1,60}$/),
  /** as `git describe` names it; absent outside of a repository */
  commit: z
    .string()
    .regex(/^[\w-]{1,60}$/)
    .optional(),
  account: z.string(),
  region: z.string(),
  /** of the rows that the release writes */
  rowFormat: z.int().min(1),
  stacks: z.array(recordedStack).min(1),
  /** when an operator has gone back from this release to an earlier one */
  withdrawnAt: z.iso.datetime().optional(),
})

export type ReleaseRecord = z.output<typeof releaseRecord>
export type RecordedStack = ReleaseRecord['stacks'][number]

/** An object with the record of a release; undefined: this version of the command cannot use it. */
export interface StoredRelease {
  readonly key: string
  readonly record: ReleaseRecord | undefined
}

/**
 * Reads a record. One whose stacks are not exactly this stage's is not used: what it names would be deployed with all permissions of the
 * bootstrap's role.
 */
export function readRecord(text: string, locations: readonly StackLocation[]): ReleaseRecord | undefined {
  const record = releaseRecord.safeParse(parseJson(text)).data
  const names = new Set(record?.stacks.map(({ name }) => name))
  const isOwn = record?.stacks.every((stack) =>
    locations.some(({ name, region }) => name === stack.name && region === stack.region),
  )
  return isOwn && names.size === record?.stacks.length ? record : undefined
}

/** A stack as it is deployed. */
export interface DeployedHash {
  readonly name: string
  readonly id: string
  readonly hash: string
}

/** Whether all stacks of a release are deployed as it left them. */
export const isDeployed = ({ stacks }: ReleaseRecord, deployed: readonly DeployedHash[]): boolean =>
  stacks.every(({ name, id, templateHash }) =>
    deployed.some((one) => one.name === name && one.id === id && one.hash === templateHash),
  )

/** Whether a release is of these stacks, and not of ones that were deleted since, or are in another account or region. */
const isOfTheseStacks = (
  { account, region, stacks }: ReleaseRecord,
  environment: Environment,
  deployed: readonly DeployedHash[],
) =>
  account === environment.account &&
  region === environment.region &&
  stacks.every(({ name, id }) => deployed.every((one) => one.name !== name || one.id === id))

export interface Choice {
  /** undefined: nothing to go back to */
  readonly target: StoredRelease | undefined
  /** the release that is deployed; undefined: none that was recorded, or a mixture */
  readonly current: ReleaseRecord | undefined
  /** the releases after the target that nobody has gone back from, the newest first */
  readonly newer: readonly StoredRelease[]
}

/**
 * Chooses the release to go back to: the one before the deployed one, or the newest, if what is deployed is none of them, because its smoke
 * test or a stack failed. Releases that an operator has gone back from do not count, so that `--back` repeated after a failure has the same
 * target, and repeated after a success goes one release further back.
 * @param releases the newest first
 */
export function chooseRelease(
  releases: readonly StoredRelease[],
  environment: Environment,
  deployed: readonly DeployedHash[],
): Choice {
  const candidates = releases.filter(
    ({ record }) =>
      record === undefined ||
      (record.withdrawnAt === undefined && isOfTheseStacks(record, environment, deployed)),
  )
  const at = candidates.findIndex(({ record }) => record !== undefined && isDeployed(record, deployed))
  return {
    target: candidates[at + 1],
    current: candidates[at]?.record,
    newer: candidates.slice(0, at + 1),
  }
}

/** A release in a sentence, such as `1.0.0 (abc123) of 2026-11-28 15:40 UTC`. */
export const describeRelease = ({
  version,
  commit,
  deployedAt,
}: Pick<ReleaseRecord, 'version' | 'commit' | 'deployedAt'>) =>
  `${version}${commit === undefined ? '' : ` (${commit})`} of ${deployedAt.slice(0, 16).replace('T', ' ')} UTC`
