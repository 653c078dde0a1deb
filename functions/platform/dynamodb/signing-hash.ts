import { createHash, createHmac, createSecretKey, type Hash, type Hmac, type KeyObject } from 'node:crypto'

type Data = string | ArrayBuffer | ArrayBufferView

function toBytes(data: Data): string | Uint8Array {
  if (typeof data === 'string') return data
  return ArrayBuffer.isView(data)
    ? new Uint8Array(data.buffer, data.byteOffset, data.byteLength)
    : new Uint8Array(data)
}

/** The keys of signatures by their bytes, which the SDK keeps for a day. */
const signingKeys = new WeakMap<object, KeyObject>()
/** The newest secret of the credentials: they are replaced about each hour. */
let newestSecret: { text: string; key: KeyObject } | undefined

/** SHA-256 as the AWS SDK uses it to sign requests, as its own does; with a secret, HMAC. */
export class SigningHash {
  readonly #secret: Data | undefined
  #hash: Hash | Hmac

  constructor(secret?: Data) {
    this.#secret = secret
    this.#hash = this.#begin()
  }

  /**
   * Returns the key of a secret as Node.js has prepared it: from bytes or a text it does so anew for each signature, which takes four times
   * as long as the rest.
   */
  static prepareKey(secret: Data): KeyObject {
    if (typeof secret === 'string') {
      if (newestSecret?.text !== secret) newestSecret = { text: secret, key: createSecretKey(secret, 'utf8') }
      return newestSecret.key
    }
    const key = signingKeys.get(secret) ?? createSecretKey(Buffer.from(toBytes(secret)))
    signingKeys.set(secret, key)
    return key
  }

  #begin(): Hash | Hmac {
    return this.#secret === undefined
      ? createHash('sha256')
      : createHmac('sha256', SigningHash.prepareKey(this.#secret))
  }

  update(data: Data): void {
    this.#hash.update(toBytes(data))
  }

  async digest(): Promise<Uint8Array> {
    return this.#hash.digest()
  }

  reset(): void {
    this.#hash = this.#begin()
  }
}
