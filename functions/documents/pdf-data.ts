import { readFile } from 'node:fs/promises'
import { unzipSync } from 'fflate'

async function readArchived(archive: Promise<Uint8Array>, wanted: string): Promise<Uint8Array<ArrayBuffer>> {
  const { [wanted]: data } = unzipSync(await archive, { filter: ({ name }) => name === wanted })
  if (!data) throw new Error(`no ${wanted}`)
  return new Uint8Array(data)
}

/** Gives pdf.js the codes of Chinese, Japanese and Korean fonts. The archive is read when a document needs the first one. */
export class PdfDataFactory {
  #archive: Promise<Uint8Array> | undefined

  /** @throws Error for other data, such as fonts, which reading text does not need */
  async fetch({ kind, filename }: { kind: string; filename: string }): Promise<Uint8Array> {
    if (kind !== 'cMapUrl') throw new Error(`no ${kind}`)
    this.#archive ??= readFile(new URL('./cmaps.zip', import.meta.url))
    return readArchived(this.#archive, filename)
  }
}

const { WebAssembly: webAssembly } = globalThis as unknown as {
  WebAssembly: { instantiate: (code: Uint8Array, imports: unknown) => Promise<{ instance: unknown }> }
}
interface Glue {
  default: (options: {
    warn: () => void
    instantiateWasm: (imports: unknown, onReady: (instance: unknown) => void) => object
  }) => Promise<unknown>
}
/** What pdf.js decodes JPEG 2000, JBIG2 and fax pictures with: one object for each decoder, made with the first such picture. */
interface Decoder {
  _filename: string
  _getModule: () => Promise<unknown>
}
const isDecoder = (value: unknown): value is Decoder =>
  typeof value === 'object' && value !== null && '_getModule' in value && '_filename' in value

const modules = new Map<string, Promise<unknown>>()

async function loadDecoder(file: string): Promise<unknown> {
  const archive = readFile(new URL('./decoders.zip', import.meta.url))
  const bytes = await readArchived(archive, file)
  const glue = Buffer.from(await readArchived(archive, file.replace('.wasm', '.js'))).toString('base64')
  const { default: open } = (await import(/* @vite-ignore */ `data:text/javascript;base64,${glue}`)) as Glue
  return new Promise((resolve, reject) => {
    open({
      warn: () => undefined,
      instantiateWasm: (imports, onReady) => {
        webAssembly.instantiate(bytes, imports).then(({ instance }) => onReady(instance), reject)
        return {}
      },
    }).then(resolve, reject)
  })
}

/**
 * Lets pdf.js decode pictures of these three kinds while something runs. unpdf's build of it leaves out what loads the decoders, so each
 * is given its module as it is made: pdf.js defines it as the property `instance` of its class.
 */
export async function withDecoders<Result>(run: () => Promise<Result>): Promise<Result> {
  const { defineProperty } = Object
  Object.defineProperty = (target, name, descriptor) => {
    const { value } = descriptor as { value?: unknown }
    if (name === 'instance' && isDecoder(value)) {
      const { _filename: file } = value
      value._getModule = () => {
        const loading = modules.get(file) ?? loadDecoder(file)
        modules.set(file, loading)
        return loading
      }
    }
    return defineProperty(target, name, descriptor)
  }
  try {
    return await run()
  } finally {
    Object.defineProperty = defineProperty
  }
}
