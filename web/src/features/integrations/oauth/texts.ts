import { language } from '../../../lib/texts.ts'

// oauth-flow.ts
export const noAuthorizationUrl = 'No authorization URL received'
export const unsafeAddress = 'The provider’s address is not safe to open.'
export const notCompleted = 'Failed to complete connection. Please try again.'
export const connected = 'Integration Connected'
export const connectedHint = 'Successfully connected to the integration'

// third-party-sign-in.tsx
export const beforeSignIn = 'Before you sign in'
export const letServerUse = (server: string, hosts: readonly string[]) =>
  `Let ${server} use ${new Intl.ListFormat(language).format(hosts)}?`
export const continueHint = 'Continue only if you know that they belong together.'
export const continueSignIn = 'Continue'
