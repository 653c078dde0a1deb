import http from 'node:http'
import https from 'node:https'
import { syncBuiltinESMExports } from 'node:module'

/**
 * What is called directly whatever the environment says: this computer, and the addresses at which AWS gives credentials to machines and
 * containers.
 */
const directHosts = [
  'localhost',
  '127.0.0.1',
  '::1',
  '[::1]',
  'host.docker.internal',
  '169.254.169.254',
  '169.254.170.2',
  '169.254.170.23',
]

/** Names and addresses of the own network or computer, which a proxy of others does not reach. */
const isOfOwnNetwork = (host: string): boolean =>
  !host.includes('.') ||
  host.endsWith('.local') ||
  host.endsWith('.localhost') ||
  /^(?:10|127|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.[\d.]+$/.test(host)

const readVariable = (env: NodeJS.ProcessEnv, name: string): string | undefined =>
  env[name.toLowerCase()] || env[name] || undefined

/** The address of a proxy; one without a scheme is one of HTTP, as for curl. */
function parseProxy(value: string | undefined): string | undefined {
  if (value === undefined) return undefined
  const address = value.includes('://') ? value : `http://${value}`
  return /^https?:$/i.test(URL.parse(address)?.protocol ?? '') ? address : undefined
}

/**
 * Sends this process's requests to other networks through the proxy that `HTTPS_PROXY` and `HTTP_PROXY` name, except to hosts of `NO_PROXY`, as
 * curl and the AWS CLI do: Node's `fetch` and the AWS SDK's clients read none of these variables.
 * @param servers addresses that are called directly, too, if they are of the own network
 * @param env the variables, in capital or small letters
 * @returns a sentence about a proxy that cannot be used; undefined if there is none
 */
export function applyProxy(
  servers: readonly (string | undefined)[] = [],
  env: NodeJS.ProcessEnv = process.env,
): string | undefined {
  const names = ['HTTPS_PROXY', 'HTTP_PROXY'].filter((name) => readVariable(env, name) !== undefined)
  const unusable = names.filter((name) => parseProxy(readVariable(env, name)) === undefined)
  if (unusable.length > 0)
    return `${unusable.join(' and ')} must be the address of a proxy, such as http://proxy.example.org:8080. No proxy is used.`
  if (names.length === 0) return undefined
  const [HTTPS_PROXY, HTTP_PROXY] = ['HTTPS_PROXY', 'HTTP_PROXY'].map((name) =>
    parseProxy(readVariable(env, name)),
  )
  const proxyEnv = {
    ...(HTTPS_PROXY && { HTTPS_PROXY }),
    ...(HTTP_PROXY && { HTTP_PROXY }),
    NO_PROXY: [
      readVariable(env, 'NO_PROXY'),
      ...directHosts,
      ...servers.map((server) => URL.parse(server ?? '')?.hostname ?? '').filter(isOfOwnNetwork),
    ]
      .filter(Boolean)
      .join(','),
  }
  http.setGlobalProxyFromEnv(proxyEnv)
  // the AWS SDK makes an agent for each client
  const { Agent } = https
  Object.assign(https, {
    Agent: class extends Agent {
      constructor(options?: https.AgentOptions) {
        super({ proxyEnv, ...options })
      }
    },
  })
  syncBuiltinESMExports()
  return undefined
}
