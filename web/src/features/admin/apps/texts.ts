import { plural } from '../../../lib/plural.ts'

export const apps = 'Apps at providers'
export const appsHint =
  'An app that you register once at a provider is used by everybody: they connect in one click, without a Client ID.'
export const loading = 'Loading the apps'
export const notLoaded = 'The apps could not be loaded.'
export const redirectUrl = 'Redirect URL'
export const redirectUrlHint = 'Every app is registered with exactly this one.'
export const copyLabel = 'Copy'
export const copyRedirectUrl = 'Copy the redirect URL'
export const redirectUrlCopied = 'Redirect URL copied'
export const howTo = 'How to set them'
export const register =
  'Register an OAuth app at the provider, with the redirect URL above. “Setup” on the card of the integration says where, and with which permissions.'
export const enter = 'Put it into a file apps.json, under the id of the integration, beside the others:'
export const example = `{
  "gmail": { "clientId": "…", "clientSecret": "…" },
  "slack": { "clientId": "…", "clientSecret": "…" }
}`
export const startLocally = 'Start again with this file:'
export const localCommand = 'PROVIDER_APPS=apps.json npm start'
export const storeOnAws =
  'Store the file in the account of this installation, and deploy once with the name of the secret. Later changes take effect within five minutes, without a deployment:'
export const awsCommands = `npm run secret -- set juno/apps --file apps.json
npm run deploy -- -c providerAppsSecretName=juno/apps`
export const integrations = 'Integrations that take an app'
export const hasApp = 'Set'
export const hasNoApp = 'Not set'
export const counts = (set: number, all: number) =>
  plural(set, { one: `1 of ${all} is set`, other: `${set} of ${all} are set` })
export const problems = {
  invalid:
    'The list of apps is not valid, so none is used: each id needs an object with a clientId. The log of the function says where.',
  unreadable: 'The list of apps could not be read, so none is used. The log of the function says why.',
}
export const unknown = (ids: readonly string[]) =>
  `${plural(ids.length, { one: 'This id in the list belongs to no integration below, and its app is not used:', other: 'These ids in the list belong to no integration below, and their apps are not used:' })} ${ids.join(', ')}`
