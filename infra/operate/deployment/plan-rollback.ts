import { GetObjectCommand, HeadObjectCommand, NoSuchKey, NotFound, S3Client } from '@aws-sdk/client-s3'
import { compareSettings } from '../../aws/deployed-settings.ts'
import { OperatorError } from '../../aws/operator-error.ts'
import { clientOptions } from '../doctor/identity.ts'
import { checkStacks, findOutput, isCreated, listStackLocations, type DoctorInput } from '../doctor/stacks.ts'
import { assumeDeployRole, bootstrapBucket, type Environment } from './bootstrap-role.ts'
import { fetchDeployedTemplates, type DeployedTemplate } from './deployed-templates.ts'
import {
  chooseRelease,
  describeRelease,
  type RecordedStack,
  type ReleaseRecord,
  type StoredRelease,
} from './release-record.ts'
import { openReleaseStore, type ReleaseStore } from './release-store.ts'
import {
  hashTemplate,
  listAssets,
  listRemovedData,
  orderChanges,
  parseTemplate,
  type StackChange,
  type Template,
} from './templates.ts'

/** Where a stage is deployed. */
export type Stage = Pick<DoctorInput, 'config' | 'region' | 'account'>

/** A stack that is not as the target left it. */
export interface Rollback extends StackChange {
  readonly recorded: RecordedStack
}

export interface RollbackPlan {
  readonly target: ReleaseRecord
  /** the release that is deployed; undefined: none that was recorded, or a mixture */
  readonly current: ReleaseRecord | undefined
  /** of the functions that are deployed, if they tell it */
  readonly deployedVersion: string | undefined
  /** in the order of their updates */
  readonly rollbacks: readonly Rollback[]
  /** the releases that are withdrawn by going back */
  readonly newer: readonly StoredRelease[]
  readonly store: ReleaseStore
}

/**
 * Finds the release to go back to, and checks that it is all there. Changes nothing.
 * @throws OperatorError why it is not possible
 */
export async function planRollback(stage: Stage): Promise<RollbackPlan> {
  const { config, region } = stage
  const deployed = await fetchDeployedTemplates(config, region)
  const bucket = findOutput(deployed, 'UploadsBucketName')
  if (bucket === undefined)
    throw new OperatorError(`${config.prefix} is not deployed in this account and region (${region}).`)
  const store = openReleaseStore(bucket, region)
  const releases = await store.list(listStackLocations(config, region))
  const { target: found, current, newer } = chooseRelease(releases, stage, deployed)
  if (!found)
    throw new OperatorError(
      current
        ? `There is nothing to go back to: no release before ${describeRelease(current)} is recorded.`
        : 'There is nothing to go back to: no release is recorded. npm run deploy records one when its smoke test has passed.',
    )
  const target = found.record
  if (!target)
    throw new OperatorError(
      `This version of the command cannot use the record s3://${bucket}/${found.key}. Run the version that wrote it, or delete the record, to go back to the release before it.`,
    )
  refuseNewerRows(target, [
    Number(findOutput(deployed, 'RowFormat') ?? 1),
    ...releases.flatMap(({ record }) =>
      record && record.deployedAt > target.deployedAt ? record.rowFormat : [],
    ),
  ])
  await checkStates(target, { ...stage, deployed })
  const changes = await fetchChanges(target, { ...stage, deployed })
  const ordered = orderChanges(changes)
  if (!ordered)
    throw new OperatorError(
      `CloudFormation cannot go back to ${describeRelease(target)}: its stacks and the deployed ones import values from each other that only one of both has. ${deployAgain(target)}`,
    )
  return {
    target,
    current,
    deployedVersion: findOutput(deployed, 'Version'),
    rollbacks: ordered.flatMap(({ name }) => changes.find((one) => one.name === name) ?? []),
    newer,
    store,
  }
}

/**
 * An older release would misread rows of a newer format, or lose a part of them when it writes them.
 * @param written the formats that the deployed release, and those since the target, write
 * @throws OperatorError
 */
export function refuseNewerRows(
  target: Pick<ReleaseRecord, 'rowFormat' | 'version' | 'commit' | 'deployedAt'>,
  written: readonly number[],
): void {
  const newest = Math.max(...written)
  // also refuses what is no number
  if (newest <= target.rowFormat) return
  throw new OperatorError(
    `Rows were written in format ${newest}, and ${describeRelease(target)} knows ${target.rowFormat} at most: it may misread them, or lose a part of them. Deploy a release that is fixed, or restore the table to a time before (docs/operations.md).`,
  )
}

function deployAgain({ commit = '', version }: ReleaseRecord): string {
  const clean = commit.replace(/-dirty$/, '')
  const source =
    commit === clean
      ? `git checkout ${commit || `v${version}`}`
      : `commit ${clean} with the changes that were not committed`
  return `Deploy it from its source: ${source}, npm install, npm run deploy.`
}

/** @throws OperatorError for a stack that cannot be updated now */
async function checkStates(
  target: ReleaseRecord,
  { deployed, ...stage }: Stage & { deployed: readonly DeployedTemplate[] },
): Promise<void> {
  const findings = await checkStacks({ ...stage, stacks: Promise.resolve(deployed) })
  const bad = findings.find(({ level }) => level === 'problem')
  if (bad) throw new OperatorError(`${bad.found}\n→ ${bad.next ?? ''}`)
  const missing = target.stacks.find(
    ({ name }) => !deployed.some((one) => one.name === name && isCreated(one)),
  )
  if (missing)
    throw new OperatorError(
      `${missing.name}, which ${describeRelease(target)} needs, does not exist or was never complete: going back only changes stacks that exist. ${deployAgain(target)}`,
    )
}

/** @throws OperatorError if a template, or an asset that it names, is not there any more */
async function fetchChanges(
  target: ReleaseRecord,
  { account, deployed }: Stage & { deployed: readonly DeployedTemplate[] },
): Promise<Rollback[]> {
  const changed = deployed.flatMap((one) => {
    const recorded = target.stacks.find(({ name }) => name === one.name)
    return recorded && recorded.templateHash !== one.hash ? [{ one, recorded }] : []
  })
  const clients = new Map<string, S3Client>()
  for (const { region } of new Set(changed.map(({ one }) => one))) {
    if (clients.has(region)) continue
    const credentials = await assumeDeployRole({ account, region })
    clients.set(region, new S3Client({ ...clientOptions(region), ...(credentials && { credentials }) }))
  }
  const missing: string[] = []
  const rollbacks = await Promise.all(
    changed.map(async ({ one: { name, region, template }, recorded }) => {
      const client = clients.get(region)
      const own = bootstrapBucket({ account, region })
      const text = client && (await fetchText(client, own, recorded.templateKey))
      if (!client || text === undefined) {
        missing.push(`${own}/${recorded.templateKey} (template of ${name})`)
        return []
      }
      const targetTemplate = parseTemplate(text)
      if (hashTemplate(targetTemplate) !== recorded.templateHash)
        throw new OperatorError(
          `s3://${own}/${recorded.templateKey} is not the template of ${name} that was deployed with ${describeRelease(target)}. ${deployAgain(target)}`,
        )
      missing.push(...(await listMissing(client, targetTemplate, { account, region })))
      return [{ name, region, deployed: template, target: targetTemplate, recorded }]
    }),
  )
  if (missing.length > 0)
    throw new OperatorError(
      `${describeRelease(target)} is no longer complete. Missing in S3: ${missing.length}, such as ${missing.toSorted()[0]}; cdk gc and lifecycle rules delete files. ${deployAgain(target)}`,
    )
  return rollbacks.flat()
}

/** @returns undefined if there is no such object */
async function fetchText(client: S3Client, Bucket: string, Key: string): Promise<string | undefined> {
  try {
    const { Body } = await client.send(new GetObjectCommand({ Bucket, Key }))
    return await Body?.transformToString()
  } catch (error) {
    if (error instanceof NoSuchKey) return undefined
    throw error
  }
}

/** The assets of a template that do not exist. */
async function listMissing(
  client: S3Client,
  template: Template,
  environment: Environment,
): Promise<string[]> {
  const found = await Promise.all(
    listAssets(template, environment).map(async ({ bucket: Bucket, key: Key }) => {
      try {
        await client.send(new HeadObjectCommand({ Bucket, Key }))
        return []
      } catch (error) {
        if (error instanceof NotFound) return [`${Bucket}/${Key}`]
        throw error
      }
    }),
  )
  return found.flat()
}

/** What a rollback changes, as lines. */
export function formatPlan({ target, current, deployedVersion, rollbacks }: RollbackPlan): string {
  const removed = rollbacks.flatMap(listRemovedData)
  const settings = rollbacks.flatMap((rollback) => listSettings(rollback))
  return [
    `Deployed: ${current ? describeRelease(current) : `${deployedVersion ?? 'a version'} that is not recorded: npm run deploy records a release when its smoke test has passed`}`,
    `Back to:  ${describeRelease(target)}`,
    `Changes:  ${rollbacks.map(({ name }) => name).join(', ') || 'no stack'}`,
    ...(settings.length > 0 ? [`Settings: ${settings.join('; ')}`] : []),
    ...removed.map(({ id, isRetained }) =>
      isRetained
        ? `Leaves:   ${id}, which only the deployed release uses; a later deployment makes another one`
        : `Removes:  ${id}, with all that is in it`,
    ),
    ...(removed.some(({ isRetained }) => !isRetained)
      ? []
      : ['Stays:    rows, files and accounts of people, as they are']),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

function listSettings({ deployed, target }: StackChange): string[] {
  const [before, after] = [deployed, target].map(({ Outputs }) => Outputs?.['DeployedSettings']?.Value)
  if (typeof before !== 'string' || typeof after !== 'string') return []
  const changes = compareSettings(before, parseSettings(after)) ?? []
  return changes.map(({ key, now }) => `${key} becomes ${now ?? 'its default'} again`)
}

const parseSettings = (text: string): Record<string, string> =>
  Object.fromEntries(
    Object.entries(JSON.parse(text) as Record<string, unknown>).map(([key, value]) => [key, String(value)]),
  )
