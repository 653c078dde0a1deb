import { t } from '@lingui/core/macro'

// setup-dialog
export const clientId = t`Client ID`
export const fieldRequired = (field: string) => t`${field} is required to continue`
export const pasteClientId = (provider: string) => t`Paste your ${provider} Client ID:`
export const enterClientId = (provider: string) => t`Enter ${provider} Client ID`
export const clientSecret = t`Client Secret`
export const clientSecretHint = t`Many providers require it. Stored encrypted and never shown again.`
export const anyClientIdWorks = (provider: string) =>
  t`${provider} is simulated on this computer: any Client ID works.`
export const appForEverybody = (provider: string) =>
  t`An administrator can register an app at ${provider} once for all users. You then connect without a Client ID.`
export const onlyIfRequired = t`Only if the server requires it.`
export const title = (name: string) => t`Setup ${name}`
export const redirectHint = t`You'll be redirected to complete authentication`
export const next = t`Next`
export const connectingTo = (environment: string) => t`Connecting to ${environment}...`
export const connectTo = (name: string, environment: string) => t`Connect to ${name} ${environment}`
export const useKey = t`Use an API key instead`
export const useClientId = t`Use a Client ID instead`
export const requiredCredentials = t`Required Credentials`
export const publishedBy = (publisher: string) => t`Published by ${publisher}`
export const publishedAt = (publisher: string, host: string) =>
  t`Published by ${publisher}, answers at ${host}`
export const setupPortal = t`Setup Portal`
export const docs = t`Docs`

// setup-fields
export const enterApiKey = (name: string) => t`Enter ${name} API key`
export const enterCredential = (credential: string) => t`Enter ${credential}`

// setup-steps
export const setupSteps = t`Setup Steps`
export const stepPosition = (step: number, count: number) => t`Step ${step} of ${count}`
export const copiedValue = t`Copied!`
export const copiedToClipboard = (label: string) => t`${label} copied to clipboard`
export const copy = t`Copy`
export const actionFor = (action: string, name: string) => t`${action} ${name}`

// setup-guide
export const oauthApp = t`OAuth app`
export const fromDocumentation = (name: string) => t`From the documentation of ${name}.`
export const haveReady = (credential: string) => t`Have ${credential} ready`
export const asksUnderName = (name: string) => t`${name} asks for it under this name.`
