import {
  CreateSecretCommand,
  GetSecretValueCommand,
  PutSecretValueCommand,
  ResourceNotFoundException,
  RestoreSecretCommand,
  SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { text } from 'node:stream/consumers'
import { listNamedSecrets } from '../aws/named-secrets.ts'
import { checkSecretValue } from '#shared/secret-values.ts'
import { OperatorError } from '../aws/operator-error.ts'
import { contextOption, printLine, runCommand, wrongUsage } from './command.ts'
import { openStage } from './stage.ts'

const options = { ...contextOption, file: { type: 'string' } } as const

/** The secrets of the data stack, by their outputs; every other name is that of a secret of the operator. */
const outputs: Readonly<Record<string, string>> = {
  'model-key': 'ModelKeySecret',
  'sealing-key': 'SealingKeySecret',
}

await runCommand('secret', { options, allowPositionals: true }, async ({ values, positionals }) => {
  const [action, name, ...others] = positionals
  if (name === undefined || others.length > 0) throw wrongUsage('secret')
  const output = Object.hasOwn(outputs, name) ? outputs[name] : undefined
  const SecretId = output === undefined ? name : await openStage(values.context).findOutput('data', output)
  const client = new SecretsManagerClient({})
  if (action === 'set') {
    // a replaced sealing key would lose everything that the old one sealed
    if (name === 'sealing-key') throw new OperatorError('Use rotate: it keeps the key that is in use.')
    const value = await readValue(values.file)
    checkValue(value, output === undefined ? findKind(values.context, name) : 'key')
    await store(client, SecretId, value, output === undefined)
  } else if (action === 'rotate' && name === 'sealing-key') {
    const old = await read(client, SecretId)
    const SecretString = `${randomBytes(48).toString('base64')}\n${old}`
    await client.send(new PutSecretValueCommand({ SecretId, SecretString }))
    printLine('A new key seals from now on, and the old ones open. Functions use it within five minutes.')
  } else if (action === 'show') process.stdout.write(`${await read(client, SecretId)}\n`)
  else if (action === 'restore') {
    await client.send(new RestoreSecretCommand({ SecretId }))
    printLine(`${name} is there again.`)
  } else throw wrongUsage('secret')
})

type Kind = Parameters<typeof checkSecretValue>[1]

/** What a secret of the operator holds, by the setting that names it. */
function findKind(context: readonly string[], name: string): Kind {
  const { config } = openStage(context)
  if (name === config.providerAppsSecretName) return 'apps'
  if (name === config.modelHeadersSecret) return 'headers'
  return listNamedSecrets(config).some((secret) => secret.name === name) ? 'key' : 'unknown'
}

/** @throws OperatorError for a value that the functions would refuse */
function checkValue(value: string, kind: Kind): void {
  try {
    checkSecretValue(value, kind)
  } catch (error) {
    throw new OperatorError(`${(error as Error).message} Nothing was stored.`, { cause: error })
  }
}

async function readValue(file: string | undefined): Promise<string> {
  if (file === undefined && process.stdin.isTTY) printLine('Paste the value, then press Enter and Ctrl+D:')
  const value = (file === undefined ? await text(process.stdin) : readFileSync(file, 'utf8')).trim()
  if (value === '') throw new OperatorError('There is no value: give it with --file, or through a pipe.')
  return value
}

async function store(
  client: SecretsManagerClient,
  SecretId: string,
  SecretString: string,
  mayCreate: boolean,
): Promise<void> {
  try {
    await client.send(new PutSecretValueCommand({ SecretId, SecretString }))
    printLine('Stored. Functions use it within five minutes.')
  } catch (error) {
    if (!mayCreate || !(error instanceof ResourceNotFoundException)) throw error
    await client.send(new CreateSecretCommand({ Name: SecretId, SecretString }))
    printLine(`Stored as the new secret ${SecretId}. Name it in the configuration, and deploy.`)
  }
}

async function read(client: SecretsManagerClient, SecretId: string): Promise<string> {
  const { SecretString = '' } = await client.send(new GetSecretValueCommand({ SecretId }))
  return SecretString
}
