import { mockClient as mockSdkClient } from 'aws-sdk-client-mock'
import { afterAll } from 'vitest'

const mocks: { restore(): void }[] = []

afterAll(() => {
  for (const mock of mocks.splice(0)) mock.restore()
})

/** Replaces `send` of an SDK client, or of all clients of a class, until the end of the test file: other files use the class too. */
export const mockClient: typeof mockSdkClient = (...input) => {
  const mock = mockSdkClient(...input)
  mocks.push(mock)
  return mock
}
