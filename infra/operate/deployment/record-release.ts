import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'
import * as z from 'zod'
import { rowFormat } from '#shared/row-format.ts'
import { productVersion } from '../../aws/product-version.ts'
import { findOutput, listStackLocations, type DoctorInput } from '../doctor/stacks.ts'
import { fetchDeployedTemplates, type DeployedTemplate } from './deployed-templates.ts'
import { isDeployed, type RecordedStack } from './release-record.ts'
import { openReleaseStore } from './release-store.ts'
import { hashTemplate, parseTemplate } from './templates.ts'

/** The part of a cloud assembly's manifest.json that is read here. */
const manifest = z.object({
  artifacts: z.record(
    z.string(),
    z.object({
      type: z.string(),
      properties: z
        .object({
          templateFile: z.string().optional(),
          stackTemplateAssetObjectUrl: z.string().optional(),
        })
        .optional(),
    }),
  ),
})

/**
 * Stores which templates are deployed, so that `npm run deploy -- --back` finds them. Does nothing if they are those of the newest release.
 * @param assembly the folder with the cloud assembly that was deployed
 * @throws Error if something else is deployed
 */
export async function recordRelease(
  { config, region, account }: Pick<DoctorInput, 'config' | 'region' | 'account'>,
  assembly: string,
): Promise<void> {
  const [deployed, { artifacts }] = await Promise.all([
    fetchDeployedTemplates(config, region),
    readFile(join(assembly, 'manifest.json'), 'utf8').then((text) => manifest.parse(JSON.parse(text))),
  ])
  const stacks: RecordedStack[] = []
  for (const one of deployed) {
    const { templateFile, stackTemplateAssetObjectUrl: url = '' } = artifacts[one.name]?.properties ?? {}
    // a stack that the configuration no longer needs stays as it is
    if (templateFile === undefined) continue
    const file = parseTemplate(await readFile(join(assembly, templateFile), 'utf8'))
    if (hashTemplate(file) !== one.hash)
      throw new Error(`${one.name} has another template than ${join(assembly, templateFile)}`)
    stacks.push(toRecordedStack(one, url.slice(url.lastIndexOf('/') + 1)))
  }
  const bucket = findOutput(deployed, 'UploadsBucketName')
  if (bucket === undefined) throw new Error('the data stack has no output UploadsBucketName')
  const store = openReleaseStore(bucket, region)
  const releases = await store.list(listStackLocations(config, region))
  const newest = releases.find(({ record }) => record && record.withdrawnAt === undefined)?.record
  if (newest && isDeployed(newest, deployed)) return
  // after every other one, even if the clock of another operator is ahead
  const latestMs = Math.max(0, ...releases.map(({ record }) => Date.parse(record?.deployedAt ?? '') || 0))
  const commit = await readCommit()
  await store.add({
    format: 1,
    deployedAt: new Date(Math.max(Date.now(), latestMs + 1)).toISOString(),
    version: productVersion,
    ...(commit !== undefined && { commit }),
    account,
    region,
    rowFormat,
    stacks,
  })
}

const toRecordedStack = ({ name, region, id, hash, stack }: DeployedTemplate, templateKey: string) => ({
  name,
  region,
  id,
  templateKey,
  templateHash: hash,
  parameters: Object.fromEntries(
    (stack.Parameters ?? []).flatMap(({ ParameterKey, ParameterValue }) =>
      // CloudFormation masks secret ones: https://github.com/mapbox/cfn-config/issues/177
      ParameterKey === undefined || ParameterValue === undefined || /^\*+$/.test(ParameterValue)
        ? []
        : [[ParameterKey, ParameterValue]],
    ),
  ),
})

/** The checked out commit, with `-dirty` if a file differs from it; undefined outside of a repository. */
async function readCommit(): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(
      'git',
      ['describe', '--always', '--dirty', '--exclude=*', '--abbrev=12'],
      { cwd: import.meta.dirname },
    )
    return stdout.trim() || undefined
  } catch {
    return undefined
  }
}
