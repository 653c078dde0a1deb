import { groupsKey } from '../../../functions/platform/groups-row.ts'
import { reservedStageWords, type Config } from '../../aws/config.ts'
import { listNamedSecrets, listProviderSecrets, type NamedSecret } from '../../aws/named-secrets.ts'
import { releasesPrefix } from '../deployment/release-store.ts'
import { formatKey } from '../migrate/recorded-format.ts'
import {
  actionsByType,
  allow,
  packPolicies,
  requireBoundary,
  toPolicy,
  toStatements,
  type PolicyDocument,
  type Statement,
} from './statements.ts'

/** All stages of a brand share the roles of one CDK bootstrap: names for CloudFormation's. */
const ownNamePattern = ({ brand }: Pick<Config, 'brand'>) => `${brand}-*`

/**
 * For the role with which CloudFormation creates and deletes the stacks' resources, in place of AdministratorAccess:
 * `npm run bootstrap -- --cloudformation-execution-policies`.
 */
export function buildCloudFormationPolicies(config: Config): PolicyDocument[] {
  const name = ownNamePattern(config)
  const statements = toStatements(Object.values(actionsByType), name)
  return packPolicies([
    ...(config.permissionsBoundary ? requireBoundary(statements, config.permissionsBoundary) : statements),
    // read by templates: the bootstrap version, assets, outputs of other stacks, and the client secrets of identity providers
    allow('ssm:GetParameters', 'arn:aws:ssm:*:*:parameter/cdk-bootstrap/*'),
    allow(['s3:GetObject', 's3:GetObjectVersion'], 'arn:aws:s3:::cdk-*/*'),
    allow('cloudformation:DescribeStacks', `arn:aws:cloudformation:*:*:stack/${name}/*`),
    ...allowSecrets(['GetSecretValue'], listProviderSecrets(config)),
  ])
}

/**
 * What the stacks of a stage name, and the tables that are restored beside them. A prefix alone would reach a stage whose name begins like
 * this one's; no stage has one of these words in its name (infra/aws/config.ts).
 */
const stageNames = ({ prefix }: Pick<Config, 'prefix'>, words = reservedStageWords) =>
  words.map((word) => `${prefix}-${word}`)

const userPools = 'arn:aws:cognito-idp:*:*:userpool/*'

/** IDs of user pools and names of generated secrets do not tell whose they are: the tags do that every resource has (infra/aws/stacks.ts). */
const ownTags = ({ brand, stage }: Config) => ({
  StringEquals: { 'aws:ResourceTag/brand': brand, 'aws:ResourceTag/stage': stage },
})

const onlyPartitions = (...keys: string[]) => ({
  'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': keys },
  Null: { 'dynamodb:LeadingKeys': 'false' },
})

/** A statement without resources is invalid. */
const allowSecrets = (actions: readonly string[], secrets: readonly NamedSecret[]): Statement[] =>
  secrets.length === 0
    ? []
    : [
        allow(
          actions.map((action) => `secretsmanager:${action}`),
          secrets.map(({ name }) => `arn:aws:secretsmanager:*:*:secret:${name}-??????`),
        ),
      ]

/** For the user or pipeline that runs `npm run doctor`, `deploy` and `smoke` of one stage. Stacks are deployed with the bootstrap roles. */
export function buildDeployPolicy(config: Config): PolicyDocument {
  const stacks = stageNames(config)
  const buckets = `arn:aws:s3:::${config.prefix}-data-*`
  const tables = `arn:aws:dynamodb:*:*:table/${config.prefix}-data-*`
  return toPolicy([
    allow('sts:AssumeRole', 'arn:aws:iam::*:role/cdk-*'),
    // the records of releases, and no user data
    allow('s3:ListBucket', buckets, { StringLike: { 's3:prefix': `${releasesPrefix}*` } }),
    allow(['s3:DeleteObject', 's3:GetObject', 's3:PutObject'], `${buckets}/${releasesPrefix}*`),
    allow(
      ['cloudformation:DescribeStackEvents', 'cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
      stacks.map((stack) => `arn:aws:cloudformation:*:*:stack/${stack}/*`),
    ),
    allow('ssm:GetParameter', 'arn:aws:ssm:*:*:parameter/cdk-bootstrap/*'),
    allow('secretsmanager:DescribeSecret', 'arn:aws:secretsmanager:*:*:secret:ModelKey*', ownTags(config)),
    ...allowSecrets(['DescribeSecret'], listNamedSecrets(config)),
    allow('lambda:InvokeFunction', [
      `arn:aws:lambda:*:*:function:${config.prefix}-api-ModelCheck*`,
      `arn:aws:lambda:*:*:function:${config.prefix}-api-RegistrySync*`,
    ]),
    allow(['dynamodb:ListTables', 'lambda:GetAccountSettings', 'ses:GetAccount'], '*'),
    allow('ses:GetEmailIdentity', 'arn:aws:ses:*:*:identity/*'),
    ...(config.modelServer === 'bedrock'
      ? [
          allow(
            ['bedrock:InvokeModel', 'bedrock:InvokeModelWithResponseStream'],
            ['arn:aws:bedrock:*::foundation-model/*', 'arn:aws:bedrock:*:*:inference-profile/*'],
          ),
        ]
      : []),
    // the limits of groups and the format of the rows, and no user data
    allow('dynamodb:GetItem', tables, onlyPartitions(groupsKey.PK, formatKey.PK)),
    allow('dynamodb:PutItem', tables, onlyPartitions(formatKey.PK)),
    // the user of the smoke test, and the check for an administrator
    allow(
      [
        'cognito-idp:AdminCreateUser',
        'cognito-idp:AdminDeleteUser',
        'cognito-idp:AdminSetUserPassword',
        'cognito-idp:ListUsersInGroup',
      ],
      userPools,
      ownTags(config),
    ),
  ])
}

/** For users of the other commands of one stage: `admin`, `backup`, `restore`, `secret`, `vault` and others. They read and change users' data. */
export function buildOperatePolicy(config: Config): PolicyDocument {
  const tables = [`${config.prefix}-data-*`, `${config.prefix}-restored`, `${config.prefix}-restored-*`].map(
    (name) => `arn:aws:dynamodb:*:*:table/${name}`,
  )
  const buckets = `arn:aws:s3:::${config.prefix}-data-*`
  return toPolicy([
    allow(
      'cloudformation:DescribeStacks',
      stageNames(config).map((stack) => `arn:aws:cloudformation:*:*:stack/${stack}/*`),
    ),
    allow(
      [
        'dynamodb:DeleteItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:Query',
        'dynamodb:Scan',
        'dynamodb:UpdateItem',
      ],
      tables,
    ),
    // a table that is restored, under a name of its own or, after its deletion, under the same one
    allow(
      [
        // what restoring writes with, although no command calls it
        'dynamodb:BatchWriteItem',
        'dynamodb:DescribeTable',
        'dynamodb:RestoreTableFromBackup',
        'dynamodb:RestoreTableToPointInTime',
        'dynamodb:UpdateContinuousBackups',
        'dynamodb:UpdateTable',
        'dynamodb:UpdateTimeToLive',
      ],
      [...tables, `arn:aws:dynamodb:*:*:table/${config.prefix}-data-*/backup/*`],
    ),
    allow('dynamodb:DeleteTable', `arn:aws:dynamodb:*:*:table/${config.prefix}-restored`),
    allow('dynamodb:ListBackups', '*'),
    // users' files, for a copy and back
    allow('s3:ListBucket', buckets),
    allow(['s3:GetObject', 's3:PutObject'], [`${buckets}/users/*`, `${buckets}/published/*`]),
    // backups, in a bucket of any account whose name begins so (docs/backup.md)
    allow(
      ['s3:DeleteObject', 's3:GetObject', 's3:PutObject'],
      `arn:aws:s3:::${config.prefix}-data-backup*/*`,
    ),
    allow('lambda:InvokeFunction', `arn:aws:lambda:*:*:function:${config.prefix}-api-*`),
    allow(
      [
        'cognito-idp:AdminAddUserToGroup',
        'cognito-idp:AdminCreateUser',
        'cognito-idp:AdminDisableUser',
        'cognito-idp:AdminEnableUser',
        'cognito-idp:AdminGetUser',
        'cognito-idp:AdminListGroupsForUser',
        'cognito-idp:AdminRemoveUserFromGroup',
        'cognito-idp:AdminSetUserMFAPreference',
        'cognito-idp:AdminSetUserPassword',
        'cognito-idp:AdminUserGlobalSignOut',
        'cognito-idp:CreateGroup',
        'cognito-idp:DeleteGroup',
        'cognito-idp:ListGroups',
        'cognito-idp:ListUsers',
        'cognito-idp:ListUsersInGroup',
      ],
      userPools,
      ownTags(config),
    ),
    // users' credentials, which `vault` moves, and the key that seals them
    allow(
      ['secretsmanager:CreateSecret', 'secretsmanager:DeleteSecret', 'secretsmanager:GetSecretValue'],
      `arn:aws:secretsmanager:*:*:secret:${config.prefix}/vault/*`,
    ),
    allow(
      ['secretsmanager:GetSecretValue', 'secretsmanager:PutSecretValue', 'secretsmanager:RestoreSecret'],
      ['arn:aws:secretsmanager:*:*:secret:ModelKey*', 'arn:aws:secretsmanager:*:*:secret:SealingKey*'],
      ownTags(config),
    ),
    ...allowSecrets(
      ['CreateSecret', 'GetSecretValue', 'PutSecretValue', 'RestoreSecret'],
      listNamedSecrets(config),
    ),
    // the key of the sealing key's secret
    ...(config.vault === 'table'
      ? [allow('kms:GenerateDataKey', 'arn:aws:kms:*:*:key/*', ownTags(config))]
      : []),
    allow('secretsmanager:ListSecrets', '*'),
  ])
}
