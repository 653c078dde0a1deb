import { randomBytes, randomUUID } from 'node:crypto'
import { join } from 'node:path'
import type { LocalCredentials } from '../credentials.ts'
import { openJsonFile } from '../json-file.ts'
import type { LocalServer } from '../listen.ts'
import { AwsError, type AwsInput, optionalText, serveAwsJson } from './aws-json.ts'

interface StoredSecret {
  arn: string
  createdAtSeconds: number
  changedAtSeconds: number
  /** set while a deletion is pending */
  deletedAtSeconds?: number
  /** when the name can be used again: at the end of the recovery window, or soon after a forced deletion */
  goneAtSeconds?: number
  versions: { id: string; value: string; stages: string[] }[]
}

type Secrets = Record<string, StoredSecret>

const maxValueBytes = 65_536
/** A forced deletion is asynchronous: for this long its name cannot be used again. */
const forcedDeletionSeconds = 2
const current = 'AWSCURRENT'
const previous = 'AWSPREVIOUS'

/**
 * Secrets Manager for the SDK on a free port: Create, Get, Put, Delete, Describe and List. Values are stored in `<dataDir>/secrets.json`, which
 * only the owner of the folder may read. A forced deletion removes the values at once; the name can be used again a little later.
 */
export async function startSecretsEmulator({
  dataDir,
  region,
  credentials,
}: {
  dataDir: string
  region: string
  credentials: LocalCredentials
}): Promise<LocalServer> {
  // without a prototype, because `__proto__` is a valid name of a secret
  const file = await openJsonFile(join(dataDir, 'secrets.json'), Object.create(null) as Secrets)
  const operations = secretOperations(file.state, region)
  return serveAwsJson({
    contentType: 'application/x-amz-json-1.1',
    maxBodyBytes: 1024 * 1024,
    signer: { ...credentials, region, service: 'secretsmanager' },
    async handle(operation, input) {
      if (!Object.hasOwn(operations, operation))
        throw new AwsError('UnknownOperationException', `Unknown operation ${operation}`)
      const { output, changed } = operations[operation as keyof typeof operations](input)
      if (changed) await file.save()
      return output
    },
  })
}

function secretOperations(secrets: Secrets, region: string) {
  const changed = (output: object) => ({ output, changed: true })
  const unchanged = (output: object) => ({ output, changed: false })

  /** Removes secrets whose deletion date has passed. */
  function purge(): void {
    for (const [name, { goneAtSeconds }] of Object.entries(secrets))
      if (goneAtSeconds !== undefined && goneAtSeconds <= nowSeconds()) delete secrets[name]
  }

  function find(input: AwsInput): [string, StoredSecret] {
    purge()
    const id = text(input, 'SecretId')
    const found = Object.entries(secrets).find(([name, { arn }]) => name === id || arn === id)
    if (!found) throw notFound("Secrets Manager can't find the specified secret.")
    return found
  }

  function findLive(input: AwsInput): [string, StoredSecret] {
    const found = find(input)
    if (found[1].deletedAtSeconds !== undefined)
      throw new AwsError(
        'InvalidRequestException',
        "You can't perform this operation on the secret because it was marked for deletion.",
      )
    return found
  }

  return {
    CreateSecret(input: AwsInput) {
      const name = text(input, 'Name')
      if (!/^[A-Za-z0-9/_+=.@!-]{1,512}$/.test(name))
        throw new AwsError(
          'ValidationException',
          'Invalid name. Must be a valid name containing alphanumeric characters, or any of the following: -/_+=.@!',
        )
      purge()
      const existing = secrets[name]
      if (existing?.deletedAtSeconds !== undefined)
        throw new AwsError(
          'InvalidRequestException',
          "You can't create this secret because a secret with this name is already scheduled for deletion.",
        )
      if (existing)
        throw new AwsError(
          'ResourceExistsException',
          `The operation failed because the secret ${name} already exists.`,
        )
      const secret: StoredSecret = {
        arn: `arn:aws:secretsmanager:${region}:000000000000:secret:${name}-${arnSuffix()}`,
        createdAtSeconds: nowSeconds(),
        changedAtSeconds: nowSeconds(),
        versions: [],
      }
      const value = input['SecretString']
      const id = value === undefined ? undefined : addVersion(secret, input)
      secrets[name] = secret
      return changed({ ARN: secret.arn, Name: name, VersionId: id })
    },

    PutSecretValue(input: AwsInput) {
      const [name, secret] = findLive(input)
      const id = addVersion(secret, input)
      const stages = secret.versions.find((version) => version.id === id)?.stages
      return changed({ ARN: secret.arn, Name: name, VersionId: id, VersionStages: stages })
    },

    GetSecretValue(input: AwsInput) {
      const [name, secret] = findLive(input)
      const stage = optionalText(input, 'VersionStage') ?? current
      const version = secret.versions.find(({ id, stages }) =>
        input['VersionId'] === undefined ? stages.includes(stage) : id === input['VersionId'],
      )
      if (!version)
        throw notFound(`Secrets Manager can't find the specified secret value for staging label: ${stage}`)
      return unchanged({
        ARN: secret.arn,
        Name: name,
        VersionId: version.id,
        SecretString: version.value,
        VersionStages: version.stages,
        CreatedDate: secret.createdAtSeconds,
      })
    },

    DescribeSecret(input: AwsInput) {
      const [name, secret] = find(input)
      return unchanged({
        ARN: secret.arn,
        Name: name,
        CreatedDate: secret.createdAtSeconds,
        LastChangedDate: secret.changedAtSeconds,
        DeletedDate: secret.deletedAtSeconds,
        VersionIdsToStages: Object.fromEntries(secret.versions.map(({ id, stages }) => [id, stages])),
      })
    },

    /** Pages in the order of creation; the only supported filter is a name prefix. */
    ListSecrets(input: AwsInput) {
      purge()
      const filters = (input['Filters'] ?? []) as { Key?: string; Values?: string[] }[]
      if (filters.some(({ Key }) => Key !== 'name'))
        throw new AwsError('InvalidParameterException', 'This emulator filters by name alone.')
      const maxResults = Number(input['MaxResults'] ?? 100)
      if (!(maxResults >= 1 && maxResults <= 100))
        throw new AwsError('InvalidParameterException', 'MaxResults must be between 1 and 100.')
      const start = Number(optionalText(input, 'NextToken') ?? 0)
      const live = Object.entries(secrets).filter(
        ([name, { deletedAtSeconds }]) =>
          deletedAtSeconds === undefined &&
          filters.every(({ Values = [] }) => Values.some((prefix) => name.startsWith(prefix))),
      )
      return unchanged({
        SecretList: live.slice(start, start + maxResults).map(([name, secret]) => ({
          ARN: secret.arn,
          Name: name,
          CreatedDate: secret.createdAtSeconds,
          LastChangedDate: secret.changedAtSeconds,
        })),
        ...(start + maxResults < live.length && { NextToken: String(start + maxResults) }),
      })
    },

    DeleteSecret(input: AwsInput) {
      const force = input['ForceDeleteWithoutRecovery'] === true
      const days = input['RecoveryWindowInDays'] === undefined ? 30 : Number(input['RecoveryWindowInDays'])
      if (force && input['RecoveryWindowInDays'] !== undefined)
        throw new AwsError(
          'InvalidParameterException',
          "You can't use ForceDeleteWithoutRecovery in conjunction with RecoveryWindowInDays.",
        )
      if (!(days >= 7 && days <= 30))
        throw new AwsError(
          'InvalidParameterException',
          'The RecoveryWindowInDays value must be between 7 and 30 days (inclusive).',
        )
      const id = text(input, 'SecretId')
      purge()
      const known = Object.entries(secrets).some(([name, { arn }]) => name === id || arn === id)
      // A forced deletion of a missing secret is no error.
      if (force && !known) return unchanged({ Name: id, DeletionDate: nowSeconds() })
      const [name, secret] = force ? find(input) : findLive(input)
      secret.deletedAtSeconds = nowSeconds()
      secret.goneAtSeconds = nowSeconds() + (force ? forcedDeletionSeconds : days * 86_400)
      if (force) secret.versions = []
      return changed({
        ARN: secret.arn,
        Name: name,
        DeletionDate: nowSeconds() + (force ? 0 : days * 86_400),
      })
    },
  }
}

/** Adds the new current version; a repeat with the same token and value changes nothing. */
function addVersion(secret: StoredSecret, input: AwsInput): string {
  const value = text(input, 'SecretString')
  if (Buffer.byteLength(value) > maxValueBytes)
    throw new AwsError('InvalidParameterException', `The secret value is larger than ${maxValueBytes} bytes.`)
  const id = optionalText(input, 'ClientRequestToken') ?? randomUUID()
  const same = secret.versions.find((version) => version.id === id)
  if (same && same.value !== value)
    throw new AwsError(
      'ResourceExistsException',
      "You can't modify an existing version, you can only create new versions.",
    )
  if (same) return id
  const rest = secret.versions.filter(({ stages }) => stages.includes(current))
  secret.versions = [
    { id, value, stages: [current] },
    ...rest.map((version) => ({ ...version, stages: [previous] })),
  ]
  secret.changedAtSeconds = nowSeconds()
  return id
}

function text(input: AwsInput, member: string): string {
  const value = optionalText(input, member)
  if (value) return value
  throw new AwsError('InvalidParameterException', `You must provide a value for the ${member} parameter.`)
}

const notFound = (message: string) => new AwsError('ResourceNotFoundException', message)
const nowSeconds = () => Date.now() / 1_000
const arnSuffix = () =>
  randomBytes(12)
    .toString('base64')
    .replace(/[^A-Za-z0-9]/g, 'x')
    .slice(0, 6)
