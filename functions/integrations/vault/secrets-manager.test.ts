import {
  InvalidRequestException,
  ResourceExistsException,
  ResourceNotFoundException,
  type SecretsManagerClient,
} from '@aws-sdk/client-secrets-manager'
import { expect, it } from 'vitest'
import { deletableSecrets, readableSecrets, secretsManagerBackend } from './secrets-manager.ts'

const details = { message: '', $metadata: {} }
const failWith = (error: Error) => () => Promise.reject(error)

/** A Secrets Manager client with this response, and the inputs of the commands that it received. */
function createFakeClient(respond: () => Promise<object>) {
  const sent: object[] = []
  const client = {
    send(command: { input: object }) {
      sent.push(command.input)
      return respond()
    },
  }
  return { sent, client: client as unknown as Pick<SecretsManagerClient, 'send'> }
}

it('deletes a secret at once, without a recovery period', async () => {
  const { client, sent } = createFakeClient(() => Promise.resolve({}))
  await deletableSecrets(client).remove('ann', 'stage/ann/notion/1')
  expect(sent).toEqual([{ SecretId: 'stage/ann/notion/1', ForceDeleteWithoutRecovery: true }])
})

it('treats a missing secret as deleted, but not a failure', async () => {
  const remove = (error: Error) =>
    deletableSecrets(createFakeClient(failWith(error)).client).remove('ann', 'name')
  await remove(new ResourceNotFoundException(details))
  await expect(remove(new Error('no answer'))).rejects.toThrow('no answer')
})

it('does not find a secret that is deleted or about to be, and reports a failure', async () => {
  const find = (error: Error) => readableSecrets(failWith(error)).find('ann', 'name')
  expect(await find(new ResourceNotFoundException(details))).toBeUndefined()
  expect(await find(new InvalidRequestException(details))).toBeUndefined()
  await expect(find(new Error('no answer'))).rejects.toThrow('no answer')
})

it('stores a secret again only with the same values', async () => {
  const put = (value: string) => {
    const responses = [
      failWith(new ResourceExistsException(details)),
      () => Promise.resolve({ SecretString: '{"apiKey":"stored"}' }),
    ]
    const { client, sent } = createFakeClient(
      () => responses.shift()?.() ?? Promise.reject(new Error('one call too many')),
    )
    return { sent, write: secretsManagerBackend(client).put('ann', 'name', { apiKey: value }) }
  }
  const repetition = put('stored')
  await repetition.write
  expect(repetition.sent).toEqual([
    { Name: 'name', SecretString: '{"apiKey":"stored"}' },
    { SecretId: 'name' },
  ])
  await expect(put('other').write).rejects.toThrow(ResourceExistsException)
})

it('reports a failure to store a secret, and reads nothing', async () => {
  const { client, sent } = createFakeClient(failWith(new Error('no answer')))
  await expect(secretsManagerBackend(client).put('ann', 'name', {})).rejects.toThrow('no answer')
  expect(sent).toHaveLength(1)
})
