import { groupsKey } from '../../../functions/platform/groups-row.ts'
import type { Config } from '../../aws/config.ts'
import { listNamedSecrets, listProviderSecrets, type NamedSecret } from '../../aws/named-secrets.ts'
import { actionsByType } from './resource-actions.ts'
import { allow, packPolicies, toPolicy, toStatements, type PolicyDocument } from './statements.ts'

/** All stages of a brand share the roles of one CDK bootstrap. */
const ownNamePattern = ({ brand }: Pick<Config, 'brand'>) => `${brand}-*`

/**
 * For the role with which CloudFormation creates and deletes the stacks' resources, in place of AdministratorAccess:
 * `npx cdk bootstrap --cloudformation-execution-policies`.
 */
export function buildCloudFormationPolicies(config: Config): PolicyDocument[] {
  const name = ownNamePattern(config)
  const providerSecrets = listProviderSecrets(config).map(formatSecretArn)
  return packPolicies([
    ...toStatements(Object.values(actionsByType).flat(), name),
    // read by templates: the bootstrap version, assets, outputs of other stacks, and the client secrets of identity providers
    allow('ssm:GetParameters', 'arn:aws:ssm:*:*:parameter/cdk-bootstrap/*'),
    allow(['s3:GetObject', 's3:GetObjectVersion'], 'arn:aws:s3:::cdk-*/*'),
    allow('cloudformation:DescribeStacks', `arn:aws:cloudformation:*:*:stack/${name}/*`),
    ...(providerSecrets.length === 0 ? [] : [allow('secretsmanager:GetSecretValue', providerSecrets)]),
  ])
}

const userPools = 'arn:aws:cognito-idp:*:*:userpool/*'

const formatSecretArn = ({ name }: NamedSecret) => `arn:aws:secretsmanager:*:*:secret:${name}-??????`

/** For the user or pipeline that runs `npm run doctor`, `deploy` and `smoke`. Stacks are deployed with the bootstrap roles. */
export function buildDeployPolicy(config: Config): PolicyDocument {
  const name = ownNamePattern(config)
  return toPolicy([
    allow('sts:AssumeRole', 'arn:aws:iam::*:role/cdk-*'),
    allow(
      ['cloudformation:DescribeStackEvents', 'cloudformation:DescribeStacks', 'cloudformation:GetTemplate'],
      `arn:aws:cloudformation:*:*:stack/${name}`,
    ),
    allow('ssm:GetParameter', 'arn:aws:ssm:*:*:parameter/cdk-bootstrap/*'),
    allow('secretsmanager:DescribeSecret', listDescribedSecretArns(config)),
    allow('lambda:InvokeFunction', [
      `arn:aws:lambda:*:*:function:${name}ModelCheck*`,
      `arn:aws:lambda:*:*:function:${name}RegistrySync*`,
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
    // the limits of groups, and no user data
    allow('dynamodb:GetItem', `arn:aws:dynamodb:*:*:table/${name}`, {
      'ForAllValues:StringEquals': { 'dynamodb:LeadingKeys': groupsKey.PK },
      Null: { 'dynamodb:LeadingKeys': 'false' },
    }),
    // the user of the smoke test, and the check for an administrator
    allow(
      [
        'cognito-idp:AdminCreateUser',
        'cognito-idp:AdminDeleteUser',
        'cognito-idp:AdminSetUserPassword',
        'cognito-idp:ListUsersInGroup',
      ],
      userPools,
    ),
  ])
}

/** For users of the other commands: `admin`, `invite`, `erase`, `usage`, `restore`, `vault`. They read and change users' data. */
export function buildOperatePolicy(config: Config): PolicyDocument {
  const name = ownNamePattern(config)
  return toPolicy([
    allow('cloudformation:DescribeStacks', `arn:aws:cloudformation:*:*:stack/${name}`),
    allow(
      [
        'dynamodb:DeleteItem',
        'dynamodb:GetItem',
        'dynamodb:PutItem',
        'dynamodb:Query',
        'dynamodb:Scan',
        'dynamodb:UpdateItem',
      ],
      // the operator chooses the name of a restored table
      `arn:aws:dynamodb:*:*:table/${name}`,
    ),
    allow(
      [
        'cognito-idp:AdminAddUserToGroup',
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
    ),
    // users' credentials, which `vault` moves, and the key that seals them
    allow(
      ['secretsmanager:CreateSecret', 'secretsmanager:DeleteSecret', 'secretsmanager:GetSecretValue'],
      [`arn:aws:secretsmanager:*:*:secret:${name}/vault/*`, 'arn:aws:secretsmanager:*:*:secret:SealingKey*'],
    ),
    allow('secretsmanager:ListSecrets', '*'),
  ])
}

const listDescribedSecretArns = (config: Config) => [
  'arn:aws:secretsmanager:*:*:secret:ModelKey*',
  ...listNamedSecrets(config).map(formatSecretArn),
]
