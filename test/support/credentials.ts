import type { LocalCredentials } from '../../infra/local/credentials.ts'

/** For emulators that a test starts itself. A running stack has its own: `stack.endpoints()`. */
export const testCredentials: LocalCredentials = {
  accessKeyId: 'ASIATESTTESTTESTTEST',
  secretAccessKey: 'test',
  sessionToken: 'test',
}
