// setup-dialog
export const clientId = 'Client ID'
export const fieldRequired = (field: string) => `${field} is required to continue`
export const pasteClientId = (provider: string) => `Paste your ${provider} Client ID:`
export const enterClientId = (provider: string) => `Enter ${provider} Client ID`
export const clientSecret = 'Client Secret'
export const clientSecretHint = 'Many providers require it. Stored encrypted and never shown again.'
export const anyClientIdWorks = (provider: string) =>
  `${provider} is simulated on this computer: any Client ID works.`
export const appForEverybody = (provider: string) =>
  `An administrator can register an app at ${provider} once for all users. You then connect without a Client ID.`
export const onlyIfRequired = 'Only if the server requires it.'
export const title = (name: string) => `Setup ${name}`
export const redirectHint = "You'll be redirected to complete authentication"
export const next = 'Next'
export const connectingTo = (environment: string) => `Connecting to ${environment}...`
export const connectTo = (name: string, environment: string) => `Connect to ${name} ${environment}`
export const useKey = 'Use an API key instead'
export const useClientId = 'Use a Client ID instead'
export const requiredCredentials = 'Required Credentials'
export const publishedBy = (publisher: string) => `Published by ${publisher}`
export const publishedAt = (publisher: string, host: string) =>
  `Published by ${publisher}, answers at ${host}`
export const setupPortal = 'Setup Portal'
export const docs = 'Docs'

// setup-fields
export const enterApiKey = (name: string) => `Enter ${name} API key`
export const enterCredential = (credential: string) => `Enter ${credential}`

// setup-steps
export const setupSteps = 'Setup Steps'
export const stepPosition = (step: number, count: number) => `Step ${step} of ${count}`
export const copiedValue = 'Copied!'
export const copiedToClipboard = (label: string) => `${label} copied to clipboard`
export const copy = 'Copy'

// setup-guide
export const oauthApp = 'OAuth app'
export const fromDocumentation = (name: string) => `From the documentation of ${name}.`
export const haveReady = (credential: string) => `Have ${credential} ready`
export const asksUnderName = (name: string) => `${name} asks for it under this name.`
