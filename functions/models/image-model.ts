import { sayTool } from '#shared/sentences/tools.ts'
import { matchesType } from '../files/file-content.ts'
import { ToolError } from '../platform/tool-error.ts'
import { toFields, toText } from './fields.ts'
import { readDataUrl } from './image-data.ts'
import { requestWhole, type WholeModelSettings } from './whole-request.ts'

interface GeneratedImage {
  bytes: Uint8Array
  type: (typeof imageTypes)[number]
}

export interface ImageModel {
  /** @throws ModelError; ToolError if it answers without an image */
  generate(prompt: string, signal: AbortSignal): Promise<GeneratedImage>
}

const maxBytes = 20 * 1024 * 1024
/** With the image as base64, which is a third longer. */
const maxResponseBytes = 28 * 1024 * 1024
const downloadTimeoutMs = 30_000

const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const
const detectType = (bytes: Uint8Array) => imageTypes.find((type) => matchesType(bytes, type))

/** The model's own server as an entry of OUTBOUND_ALLOW: the operator may run it anywhere. */
function toAllowList(baseUrl: string | undefined): string[] {
  const own = URL.parse(baseUrl ?? '')
  return own ? [`${own.hostname}:${own.port || (own.protocol === 'http:' ? '80' : '443')}`] : []
}

/** Downloads an image. Some servers answer with its URL: the model chose that, so it is fetched through the outbound guard. */
async function download(
  address: string,
  { baseUrl, outboundAllow }: Pick<ImageModelSettings, 'baseUrl' | 'outboundAllow'>,
  signal: AbortSignal,
): Promise<Uint8Array> {
  // loaded on demand: most replies generate no image, and most image models send the image itself
  const { AddressForbidden, outboundHttp, parseAllowList } = await import('../platform/net/outbound-http.ts')
  const allow = [...parseAllowList(outboundAllow), ...toAllowList(baseUrl)]
  const http = outboundHttp({ allow, timeoutMs: downloadTimeoutMs, maxBytes })
  try {
    const response = await http.request(address, { signal })
    if (!response.ok) throw new Error(`the request for the file was answered with ${response.status}`)
    return new Uint8Array(await response.arrayBuffer())
  } catch (cause) {
    signal.throwIfAborted()
    if (cause instanceof AddressForbidden) throw new ToolError(sayTool('image_unusable.address'), { cause })
    throw new ToolError(sayTool('image_unusable.not_fetched'), { cause })
  } finally {
    await http.close()
  }
}

export interface ImageModelSettings extends WholeModelSettings {
  /** OUTBOUND_ALLOW */
  outboundAllow?: string | undefined
}

/** The image model behind any OpenAI-compatible server. */
export function openImageModel(settings: ImageModelSettings): ImageModel {
  return {
    async generate(prompt, signal) {
      const response = await requestWhole<unknown>(settings, { maxResponseBytes, signal }, (client) =>
        client.images.generate({ model: settings.model, prompt, n: 1 }, { signal }),
      )
      const { data } = toFields(response)
      const image = toFields(Array.isArray(data) ? data[0] : undefined)
      const [encoded, url] = [toText(image['b64_json']), toText(image['url'])]
      const base64 = readDataUrl(encoded)?.base64 ?? encoded
      const bytes = base64
        ? Buffer.from(base64, 'base64')
        : url
          ? await download(url, settings, signal)
          : undefined
      const type = bytes && detectType(bytes)
      if (!bytes || !type || bytes.length > maxBytes) throw new ToolError(sayTool('image_unusable'))
      return { bytes, type }
    },
  }
}
