import { ArnFormat, Stack } from 'aws-cdk-lib'
import type { IUserPool } from 'aws-cdk-lib/aws-cognito'
import type { Table } from 'aws-cdk-lib/aws-dynamodb'
import { Policy, PolicyStatement, type IRole } from 'aws-cdk-lib/aws-iam'
import type { Bucket } from 'aws-cdk-lib/aws-s3'
import type { Secret } from 'aws-cdk-lib/aws-secretsmanager'
import type { Construct } from 'constructs'
import { acknowledgeStar } from './acknowledge.ts'
import type { ApiFunction } from './api-function.ts'
import type { SecretReference } from './secret-reference.ts'

// Every grant is named after its need and lists what the code calls, no more. Reads of the row CONF/SITE are GetItem on the table.

interface UserData {
  table: Table
  uploads: Bucket
}

/** What is done with rows: one at a time by key, a user's listed too, and many at once. */
const singleRows = ['dynamodb:DeleteItem', 'dynamodb:GetItem', 'dynamodb:PutItem', 'dynamodb:UpdateItem']
const listedRows = [...singleRows, 'dynamodb:Query']
const manyRows = [...listedRows, 'dynamodb:BatchGetItem', 'dynamodb:BatchWriteItem']
/** Snapshots are written, and read by key; a version never changes, and goes by its TTL. */
const snapshotRows = [
  'dynamodb:BatchWriteItem',
  'dynamodb:GetItem',
  'dynamodb:PutItem',
  'dynamodb:UpdateItem',
]

/** Where finished files lie, a folder a user; and where uploads arrive. */
const finished = 'users/*'
const incoming = 'incoming/*'

/**
 * Holds conversations: reads them, writes turns, runs and their logs, asks the model with its key, and shows it the files of a
 * message; keeps the pictures that were made, deletes the files that are not to outlive their reply, and uses what people have
 * connected: their secrets are read and their tokens renewed.
 */
export function chats(
  fn: ApiFunction,
  {
    table,
    uploads,
    modelKey,
    vaultPrefix,
    sealingKey,
  }: UserData & VaultAccess & { modelKey: SecretReference },
) {
  allow(fn, manyRows, table.tableArn)
  usesVault(fn, { vaultPrefix, sealingKey }, ['GetSecretValue'])
  allowObjects(fn, finished, { actions: ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'], uploads })
  readsSecret(fn, modelKey)
}

/** Lists, reads, names, exports and deletes conversations, with links to their files, which go along. */
export function managesSessions(fn: ApiFunction, { table, uploads }: UserData) {
  allow(fn, manyRows, table.tableArn)
  allowObjects(fn, finished, { actions: ['s3:DeleteObject', 's3:GetObject'], uploads })
}

/** Lets uploads in, looks at what arrived and moves it to its user, gives links, deletes. */
export function managesFiles(fn: ApiFunction, { table, uploads }: UserData) {
  allow(fn, listedRows, table.tableArn)
  const actions = ['s3:DeleteObject', 's3:GetObject', 's3:PutObject']
  for (const keys of [incoming, finished]) allowObjects(fn, keys, { actions, uploads })
}

/** Reads documents, and keeps their text beside them. */
export function readsDocuments(fn: ApiFunction, { table, uploads }: UserData) {
  allow(fn, ['dynamodb:GetItem', 'dynamodb:UpdateItem'], table.tableArn)
  allowObjects(fn, finished, { actions: ['s3:GetObject', 's3:PutObject'], uploads })
}

/** Reads, changes and erases everything of a person, the account at the user pool included. */
export function managesAccounts(
  fn: ApiFunction,
  { table, uploads, userPool, vaultPrefix, sealingKey }: UserData & VaultAccess & { userPool: IUserPool },
) {
  allow(fn, manyRows, table.tableArn)
  allowObjects(fn, incoming, { actions: ['s3:DeleteObject'], uploads })
  allowObjects(fn, finished, { actions: ['s3:DeleteObject', 's3:GetObject'], uploads })
  allow(fn, ['cognito-idp:AdminDeleteUser'], userPool.userPoolArn)
  usesVault(fn, { vaultPrefix, sealingKey }, ['DeleteSecret', 'GetSecretValue'])
}

/** Keeps second factors and the tries at them, sealed. Cognito it calls with the caller's own token, which needs no grant. */
export function managesTwoFactor(
  fn: ApiFunction,
  { table, sealingKey }: { table: Table; sealingKey: SecretReference },
) {
  allow(fn, singleRows, table.tableArn)
  readsSecret(fn, sealingKey)
}

/** Keeps the record of the syncs and the snapshots of the registry, and no other rows. */
export function syncsRegistry(fn: ApiFunction, table: Table) {
  allowRowsOf(fn, ['SYNC', 'REG#*'], {
    actions: snapshotRows,
    table,
  })
}

/** Syncs for a person: the same rows, and the person's budgets and the facts about the site beside them. */
export function syncsByHand(fn: ApiFunction, table: Table) {
  allowRowsOf(fn, ['SYNC', 'REG#*', 'RATE#*', 'OUT#*', 'CONF'], {
    actions: snapshotRows,
    table,
  })
}

/** Reads the registry; writes nothing but the caller's budget. */
export function readsRegistry(fn: ApiFunction, table: Table) {
  allowRowsOf(fn, ['SYNC', 'REG#*', 'RATE#*', 'OUT#*', 'CONF'], {
    actions: ['dynamodb:GetItem', 'dynamodb:UpdateItem'],
    table,
  })
}

/**
 * Holds integrations, their credentials and custom tools: rows, sealed tokens, and the secrets of its own part of the vault. Where
 * the vault is in the table, no secret is made any more: what was there before is read and deleted (ADR 0019).
 */
export function connectsIntegrations(
  fn: ApiFunction,
  { table, vault, vaultPrefix, sealingKey }: VaultAccess & { table: Table; vault: 'secrets' | 'table' },
) {
  allow(fn, listedRows, table.tableArn)
  const making = vault === 'secrets' ? (['CreateSecret'] as const) : []
  usesVault(fn, { vaultPrefix, sealingKey }, [...making, 'DeleteSecret', 'GetSecretValue'])
}

/** Tells what connections can do, and what was done with them; asks servers for their tools with people's own credentials. */
export function tellsTools(
  fn: ApiFunction,
  { table, vaultPrefix, sealingKey }: VaultAccess & { table: Table },
) {
  allow(fn, [...listedRows, 'dynamodb:BatchWriteItem'], table.tableArn)
  usesVault(fn, { vaultPrefix, sealingKey }, ['GetSecretValue'])
}

/** Reads the facts about the site that the web stack wrote, and no other row. */
export function readsSiteConfig(fn: ApiFunction, table: Table) {
  allowRowsOf(fn, ['CONF'], { actions: ['dynamodb:GetItem'], table })
}

export function readsSecret(fn: ApiFunction, secret: SecretReference) {
  allow(fn, ['secretsmanager:GetSecretValue'], secret.arn)
}

/**
 * Lets a trigger of the pool look up accounts of that pool. The policy stands beside the role, not in it: the pool needs the
 * function, the function its role, and the role must therefore not need the pool.
 */
export function findsAccounts(scope: Construct, role: IRole, userPool: IUserPool) {
  new Policy(scope, 'FindsAccounts', {
    roles: [role],
    statements: [
      new PolicyStatement({
        actions: ['cognito-idp:ListUsers'],
        resources: [userPool.userPoolArn],
      }),
    ],
  })
}

interface VaultAccess {
  readonly vaultPrefix: string
  readonly sealingKey: Secret
}

/** The secrets of the product's own vault, whoever they belong to, and no others; and the key that seals tokens. */
function usesVault(
  fn: ApiFunction,
  { vaultPrefix, sealingKey }: VaultAccess,
  actions: readonly ('CreateSecret' | 'DeleteSecret' | 'GetSecretValue')[],
) {
  const secrets = Stack.of(fn).formatArn({
    service: 'secretsmanager',
    resource: 'secret',
    resourceName: `${vaultPrefix}/*`,
    arnFormat: ArnFormat.COLON_RESOURCE_NAME,
  })
  allow(
    fn,
    actions.map((action) => `secretsmanager:${action}`),
    secrets,
  )
  acknowledgeStar(
    roleOf(fn),
    secrets,
    'Secrets of users are made while the product runs, one for each connection, all under this stage’s own prefix; the function asks for those of the signed-in user only.',
  )
  allow(fn, ['secretsmanager:GetSecretValue'], sealingKey.secretArn)
}

function allow(fn: ApiFunction, actions: string[], resource: string) {
  fn.addToRolePolicy(new PolicyStatement({ actions, resources: [resource] }))
}

function allowRowsOf(
  fn: ApiFunction,
  partitions: string[],
  { actions, table }: { actions: string[]; table: Table },
) {
  fn.addToRolePolicy(
    new PolicyStatement({
      actions,
      resources: [table.tableArn],
      conditions: {
        [partitions.some((partition) => partition.includes('*'))
          ? 'ForAllValues:StringLike'
          : 'ForAllValues:StringEquals']: { 'dynamodb:LeadingKeys': partitions },
      },
    }),
  )
}

function allowObjects(
  fn: ApiFunction,
  keys: string,
  { actions, uploads }: { actions: string[]; uploads: Bucket },
) {
  fn.addToRolePolicy(new PolicyStatement({ actions, resources: [uploads.arnForObjects(keys)] }))
  acknowledgeStar(
    roleOf(fn),
    `${Stack.of(uploads).exportValue(uploads.bucketArn)}/${keys}`,
    'Objects are made by users, in a folder of this bucket for each; one function serves all users, takes the folder from the verified token, and may touch no other part of the bucket.',
  )
}

function roleOf(fn: ApiFunction): IRole {
  if (!fn.role) throw new Error(`${fn.node.path} has no role of its own`)
  return fn.role
}
