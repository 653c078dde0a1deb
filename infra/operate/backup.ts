import { CloudFormationClient } from '@aws-sdk/client-cloudformation'
import { CognitoIdentityProviderClient, paginateListUsers } from '@aws-sdk/client-cognito-identity-provider'
import { S3Client } from '@aws-sdk/client-s3'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readConfig } from '../aws/config.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { formatSynopsis, readArguments } from './arguments.ts'
import { contextNode, loadContext } from './cdk-context.ts'
import { reportOperatorError } from './cli-error.ts'
import { downloadUploads } from './copied-uploads.ts'
import { fetchStackOutput } from './find-deployment.ts'
import { printLine } from './print-line.ts'

/**
 * `npm run backup -- --out folder -c stage=live`: copies what AWS cannot restore: the sealing key, the accounts, and users' files. Files
 * that the folder has already are not fetched again. `npm run restore -- --uploads folder/uploads` puts files back.
 */
try {
  const { values } = readArguments('backup', {
    options: {
      out: { type: 'string' },
      context: { type: 'string', short: 'c', multiple: true, default: [] },
    },
  })
  const { out } = values
  if (out === undefined) throw new OperatorError(formatSynopsis('backup'))
  const { prefix } = readConfig(contextNode(loadContext(values.context)))
  const cloudFormation = new CloudFormationClient({})
  const output = (stack: string, key: string) => fetchStackOutput(cloudFormation, `${prefix}-${stack}`, key)
  // whoever reads the folder can read users' files, and what is sealed in the table
  mkdirSync(out, { recursive: true, mode: 0o700 })

  const SecretId = await output('data', 'SealingKeySecret')
  const { SecretString = '' } = await new SecretsManagerClient({}).send(
    new GetSecretValueCommand({ SecretId }),
  )
  writeFileSync(join(out, 'sealing-key.txt'), SecretString, { mode: 0o600 })

  const users: unknown[] = []
  const UserPoolId = await output('auth', 'UserPoolId')
  const client = new CognitoIdentityProviderClient({})
  for await (const { Users = [] } of paginateListUsers({ client }, { UserPoolId })) users.push(...Users)
  writeFileSync(join(out, 'users.json'), JSON.stringify(users, null, 2), { mode: 0o600 })

  const bucket = await output('data', 'UploadsBucketName')
  const { copied, present } = await downloadUploads(new S3Client({}), bucket, join(out, 'uploads'))
  printLine(`${users.length} accounts, ${copied} files copied, ${present} were there already.`)
} catch (error) {
  reportOperatorError(error)
}
