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

/** A Secrets Manager that answers like this, and the inputs of the commands that it got. */
function fake(answer: () => Promise<object>) {
  const sent: object[] = []
  const client = {
    send(command: { input: object }) {
      sent.push(command.input)
      return answer()
    },
  }
  return { sent, client: client as unknown as Pick<SecretsManagerClient, 'send'> }
}

it('deletes a secret at once, so that no copy stays for a month', async () => {
  const { client, sent } = fake(() => Promise.resolve({}))
  await deletableSecrets(client).remove('ann', 'stage/ann/notion/1')
  expect(sent).toEqual([{ SecretId: 'stage/ann/notion/1', ForceDeleteWithoutRecovery: true }])
})

it('one that is gone already counts as deleted, and a failure does not', async () => {
  const remove = (error: Error) => deletableSecrets(fake(failWith(error)).client).remove('ann', 'name')
  await remove(new ResourceNotFoundException(details))
  await expect(remove(new Error('no answer'))).rejects.toThrow('no answer')
})

it('one that is gone, or is about to go, is not found, and a failure is no absence', async () => {
  const find = (error: Error) => readableSecrets(failWith(error)).find('ann', 'name')
  expect(await find(new ResourceNotFoundException(details))).toBeUndefined()
  expect(await find(new InvalidRequestException(details))).toBeUndefined()
  await expect(find(new Error('no answer'))).rejects.toThrow('no answer')
})

it('storing it again is fine with the same values only', async () => {
  const put = (value: string) => {
    const answers = [
      failWith(new ResourceExistsException(details)),
      () => Promise.resolve({ SecretString: '{"apiKey":"stored"}' }),
    ]
    const { client, sent } = fake(() => answers.shift()?.() ?? Promise.reject(new Error('one call too many')))
    return { sent, done: secretsManagerBackend(client).put('ann', 'name', { apiKey: value }) }
  }
  const same = put('stored')
  await same.done
  expect(same.sent).toEqual([{ Name: 'name', SecretString: '{"apiKey":"stored"}' }, { SecretId: 'name' }])
  await expect(put('other').done).rejects.toThrow(ResourceExistsException)
})

it('a failure to store it is reported, and nothing is read', async () => {
  const { client, sent } = fake(failWith(new Error('no answer')))
  await expect(secretsManagerBackend(client).put('ann', 'name', {})).rejects.toThrow('no answer')
  expect(sent).toHaveLength(1)
})
