import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../..', import.meta.url))

/** The IAM names of the SDK commands that the product sends. */
const actionsByCommand: Readonly<Record<string, string | readonly string[]>> = {
  AssumeRole: 'sts:AssumeRole',
  AdminAddUserToGroup: 'cognito-idp:AdminAddUserToGroup',
  AdminCreateUser: 'cognito-idp:AdminCreateUser',
  AdminDeleteUser: 'cognito-idp:AdminDeleteUser',
  AdminDeleteUserAttributes: 'cognito-idp:AdminDeleteUserAttributes',
  AdminDisableUser: 'cognito-idp:AdminDisableUser',
  AdminEnableUser: 'cognito-idp:AdminEnableUser',
  AdminGetUser: 'cognito-idp:AdminGetUser',
  AdminListGroupsForUser: 'cognito-idp:AdminListGroupsForUser',
  AdminRemoveUserFromGroup: 'cognito-idp:AdminRemoveUserFromGroup',
  AdminSetUserMFAPreference: 'cognito-idp:AdminSetUserMFAPreference',
  AdminSetUserPassword: 'cognito-idp:AdminSetUserPassword',
  AdminUserGlobalSignOut: 'cognito-idp:AdminUserGlobalSignOut',
  BatchGet: 'dynamodb:BatchGetItem',
  BatchWrite: 'dynamodb:BatchWriteItem',
  AbortMultipartUpload: 's3:AbortMultipartUpload',
  CompleteMultipartUpload: 's3:PutObject',
  CopyObject: ['s3:GetObject', 's3:PutObject'],
  CreateMultipartUpload: 's3:PutObject',
  CreateSecret: 'secretsmanager:CreateSecret',
  DeleteObject: 's3:DeleteObject',
  DeleteObjects: 's3:DeleteObject',
  GetItem: 'dynamodb:GetItem',
  GetObject: 's3:GetObject',
  Invoke: 'lambda:InvokeFunction',
  // https://docs.aws.amazon.com/AmazonS3/latest/API/API_HeadObject.html, Permissions
  HeadObject: 's3:GetObject',
  ListObjectsV2: 's3:ListBucket',
  PutObject: 's3:PutObject',
  Delete: 'dynamodb:DeleteItem',
  DeleteTable: 'dynamodb:DeleteTable',
  DescribeTable: 'dynamodb:DescribeTable',
  ListBackups: 'dynamodb:ListBackups',
  PutSecretValue: 'secretsmanager:PutSecretValue',
  RestoreSecret: 'secretsmanager:RestoreSecret',
  RestoreTableFromBackup: 'dynamodb:RestoreTableFromBackup',
  RestoreTableToPointInTime: 'dynamodb:RestoreTableToPointInTime',
  UpdateContinuousBackups: 'dynamodb:UpdateContinuousBackups',
  UpdateTable: 'dynamodb:UpdateTable',
  UpdateTimeToLive: 'dynamodb:UpdateTimeToLive',
  waitUntilTableExists: 'dynamodb:DescribeTable',
  DescribeSecret: 'secretsmanager:DescribeSecret',
  DescribeStackEvents: 'cloudformation:DescribeStackEvents',
  DescribeStacks: 'cloudformation:DescribeStacks',
  DeleteSecret: 'secretsmanager:DeleteSecret',
  Get: 'dynamodb:GetItem',
  GetAccount: 'ses:GetAccount',
  GetAccountSettings: 'lambda:GetAccountSettings',
  GetEmailIdentity: 'ses:GetEmailIdentity',
  GetParameter: 'ssm:GetParameter',
  GetTemplate: 'cloudformation:GetTemplate',
  GetSecretValue: 'secretsmanager:GetSecretValue',
  ListSecrets: 'secretsmanager:ListSecrets',
  ListTables: 'dynamodb:ListTables',
  CreateGroup: 'cognito-idp:CreateGroup',
  DeleteGroup: 'cognito-idp:DeleteGroup',
  ListGroups: 'cognito-idp:ListGroups',
  ListUsers: 'cognito-idp:ListUsers',
  ListUsersInGroup: 'cognito-idp:ListUsersInGroup',
  SendEmail: 'ses:SendEmail',
  SendMessage: 'sqs:SendMessage',
  DeleteItem: 'dynamodb:DeleteItem',
  Put: 'dynamodb:PutItem',
  PutItem: 'dynamodb:PutItem',
  Query: 'dynamodb:Query',
  Scan: 'dynamodb:Scan',
  UploadPart: 's3:PutObject',
  // whoever posts the form does what its signer may
  createPresignedPost: 's3:PutObject',
  Update: 'dynamodb:UpdateItem',
}

/** Commands that the caller's own access token allows, and no role; anybody may read their own identity. */
const allowedWithoutRole = new Set([
  'AssociateSoftwareToken',
  'GetCallerIdentity',
  'SetUserMFAPreference',
  'VerifySoftwareToken',
])

/** Commands that are sent with the role of the CDK's bootstrap, which may deploy. */
const sentWithDeployRole = new Set(['UpdateStack'])

/**
 * The actions that a module sends commands for, read from its bundle without the code that it does not use.
 * @param entry relative to the repository
 */
export async function readActions(entry: string): Promise<string[]> {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: [entry],
    bundle: true,
    write: false,
    packages: 'external',
    platform: 'node',
    format: 'esm',
  })
  // esbuild adds a number to a name that several modules import
  const commands = outputFiles.flatMap(({ text }) =>
    [
      ...text.matchAll(
        /new (\w+)Command\d*\(|\bpaginate((?:Describe|List|Scan)\w*?(?:V2)?)\d*\(|\b(waitUntilTable[A-Za-z]+|createPresignedPost)\d*\(/g,
      ),
    ].map(([, command, paged, waiter]) => command ?? paged ?? waiter ?? ''),
  )
  const byRole = commands.filter((name) => !allowedWithoutRole.has(name) && !sentWithDeployRole.has(name))
  const actions = byRole.flatMap((name) => {
    const action = actionsByCommand[name]
    if (!action) throw new Error(`${entry} sends ${name}Command: which action is that?`)
    return action
  })
  return [...new Set(actions)].toSorted()
}
