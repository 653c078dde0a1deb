import { type BuiltInProvider, builtInProviders } from '../../functions/providers/built-in.ts'
import type { Bench, Figure } from './figures.ts'

const formatCount = (count: number, what: string) => `${count} ${what}${count === 1 ? '' : 's'}`

/** Clicks from the card to Connected, including Allow at the provider, without the sign-in there. */
function listWays({ oauth, apiKey, addressParameters, remoteMcp }: BuiltInProvider): Figure['measured'][] {
  const requiredFields = addressParameters.filter(({ optional }) => !optional).length
  const found: string[] = []
  const add = (way: string, clicks: number, fields: number) =>
    found.push(`${way}: ${formatCount(clicks, 'click')}, ${formatCount(fields, 'field')}`)
  // Connect, Allow
  if (remoteMcp?.auth === 'dcr' && requiredFields === 0) add('the server’s own sign-in', 2, 0)
  if (oauth) {
    // Connect, Allow; if a tenant's address is needed, a dialog with another Connect comes in between
    add('operator’s app', requiredFields > 0 ? 3 : 2, requiredFields)
    // Setup, Connect, Allow; the guide lists the steps at the provider
    add('own app', 3, requiredFields + 1)
  }
  // Connect, Connect
  if (apiKey) add('own key', 2, apiKey.fields.length + requiredFields)
  return found
}

/** The effort of connecting an integration, computed from the page's own data. */
export const connectStepsBench: Bench = {
  name: 'connecting',
  title: 'Clicks and fields from the card to Connected',
  run: async () =>
    builtInProviders.map((provider) => ({ what: provider.name, measured: listWays(provider).join('; ') })),
}
