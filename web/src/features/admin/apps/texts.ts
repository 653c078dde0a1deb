import { plural, t } from '@lingui/core/macro'
import { formatList } from '../../../lib/locale.ts'

export const apps = t`Apps at providers`
export const appsHint = t`An app that you register once at a provider is used by everybody: they connect in one click, without a Client ID.`
export const loading = t`Loading the apps`
export const notLoaded = t`The apps could not be loaded.`
export const redirectUrl = t`Redirect URL`
export const redirectUrlHint = t`Every app is registered with exactly this one.`
export const copyLabel = t`Copy`
export const copyRedirectUrl = t`Copy the redirect URL`
export const redirectUrlCopied = t`Redirect URL copied`
export const howTo = t`How to set them`
export const register = t`Register an OAuth app at the provider, with the redirect URL above. “Setup” on the card of the integration says where, and with which permissions.`
export const enter = t`Put it into a file apps.json, under the id of the integration, beside the others:`
export const example = `{
  "gmail": { "clientId": "…", "clientSecret": "…" },
  "slack": { "clientId": "…", "clientSecret": "…" }
}`
export const startLocally = t`Start again with this file:`
export const localCommand = 'PROVIDER_APPS=apps.json npm start'
export const storeOnAws = t`Store the file in the account of this installation, and deploy once with the name of the secret. Later changes take effect within five minutes, without a deployment:`
export const awsCommands = `npm run secret -- set juno/apps --file apps.json
npm run deploy -- -c providerAppsSecretName=juno/apps`
export const integrations = t`Integrations that take an app`
export const hasApp = t({ message: 'Set', context: 'an app is registered' })
export const hasNoApp = t`Not set`
export const counts = (set: number, all: number) =>
  plural(set, { one: `# of ${all} is set`, other: `# of ${all} are set` })
export const problems = {
  invalid: t`The list of apps is not valid, so none is used: each id needs an object with a clientId. The log of the function says where.`,
  unreadable: t`The list of apps could not be read, so none is used. The log of the function says why.`,
}
export function unknown(ids: readonly string[]) {
  const count = ids.length
  const list = formatList(ids)
  return plural(count, {
    1: `This id in the list belongs to no integration below, and its app is not used: ${list}`,
    other: `These ids in the list belong to no integration below, and their apps are not used: ${list}`,
  })
}
