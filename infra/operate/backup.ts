import { CognitoIdentityProviderClient, paginateListUsers } from '@aws-sdk/client-cognito-identity-provider'
import { S3Client } from '@aws-sdk/client-s3'
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { contextOption, printLine, runCommand, wrongUsage } from './command.ts'
import { downloadUploads } from './restore/copied-uploads.ts'
import { openStage } from './stage.ts'

/** `npm run backup`: files that the folder has already are not fetched again. */
await runCommand(
  'backup',
  { options: { out: { type: 'string' }, ...contextOption } },
  async ({ values: { out, context } }) => {
    if (out === undefined) throw wrongUsage('backup')
    const { findOutput } = openStage(context)
    // whoever reads the folder can read users' files, and what is sealed in the table
    mkdirSync(out, { recursive: true, mode: 0o700 })

    const SecretId = await findOutput('data', 'SealingKeySecret')
    const { SecretString = '' } = await new SecretsManagerClient({}).send(
      new GetSecretValueCommand({ SecretId }),
    )
    writeFileSync(join(out, 'sealing-key.txt'), SecretString, { mode: 0o600 })

    const users: unknown[] = []
    const UserPoolId = await findOutput('auth', 'UserPoolId')
    const client = new CognitoIdentityProviderClient({})
    for await (const { Users = [] } of paginateListUsers({ client }, { UserPoolId })) users.push(...Users)
    writeFileSync(join(out, 'users.json'), JSON.stringify(users, null, 2), { mode: 0o600 })

    const bucket = await findOutput('data', 'UploadsBucketName')
    const { copied, present } = await downloadUploads(new S3Client({}), bucket, join(out, 'uploads'))
    printLine(`${users.length} accounts, ${copied} files copied, ${present} were there already.`)
  },
)
