import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { clientDocumentPath } from '#shared/oauth-client.ts'
import { sharedPath } from '#shared/share-link.ts'
import { webManifestPath } from './web-manifest.ts'
import { OperatorError } from './operator-error.ts'

/**
 * The code of the CloudFront function that serves the page at each of its addresses, such as `/integrations`. It runs
 * for the site only, so errors of the API are passed on. Which paths are files is read from the built site: a dot in the
 * path does not make one, and a missing file in a folder stays a 404. Another spelling of the page of shared conversations is redirected to
 * it, because only its own path has the header that keeps search engines away. If the site has its own address, a request for the
 * page at CloudFront's is redirected there: sign-in at Google knows one address only.
 * @param siteFolder the built site
 * @param domainName the site's own address
 * @throws OperatorError when there is no index.html in it
 */
export function spaFallbackCode(siteFolder: string, domainName?: string): string {
  if (!existsSync(join(siteFolder, 'index.html'))) {
    throw new OperatorError(`There is no built site in ${siteFolder}: run "npm run build" first.`)
  }
  const entries = readdirSync(siteFolder, { withFileTypes: true }).filter(({ name }) => !name.startsWith('.'))
  const files = [
    ...entries.filter((entry) => entry.isFile()).map(({ name }) => `/${name}`),
    '/config.json',
    clientDocumentPath,
    webManifestPath,
  ]
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => `/${name}/`)
  return `var files = ${JSON.stringify([...new Set(files)].sort())}
var folders = ${JSON.stringify(folders.sort())}
function isShared(uri) {
  try { uri = decodeURIComponent(uri) } catch (error) {}
  return uri.replace(/^\\/+/, '/').toLowerCase().indexOf(${JSON.stringify(sharedPath)}) === 0
}
function handler(event) {
  var request = event.request
  if (request.uri.indexOf(${JSON.stringify(sharedPath)}) !== 0 && isShared(request.uri))
    return { statusCode: 302, statusDescription: 'Found', headers: { location: { value: ${JSON.stringify(sharedPath)} } } }
  var known = files.indexOf(request.uri) >= 0 || folders.some((folder) => request.uri.indexOf(folder) === 0)
  if (known) return request${domainName === undefined ? '' : redirectTo(domainName)}
  request.uri = '/index.html'
  return request
}
`
}

const redirectTo = (domainName: string) => `
  if (request.headers.host.value !== ${JSON.stringify(domainName)}) {
    var query = []
    for (var name in request.querystring) {
      var parameter = request.querystring[name]
      var values = parameter.multiValue || [parameter]
      for (var index = 0; index < values.length; index += 1) query.push(name + '=' + values[index].value)
    }
    var search = query.length > 0 ? '?' + query.join('&') : ''
    var location = { value: ${JSON.stringify(`https://${domainName}`)} + request.uri + search }
    return { statusCode: 302, statusDescription: 'Found', headers: { location: location } }
  }`
