import { createDecipheriv, createHash } from 'node:crypto'

// Workbooks that Excel opens without asking are encrypted with a password that it has for them (MS-OFFCRYPTO 2.3).

const defaultPassword = Buffer.from('VelvetSweatshop', 'utf16le')
/** Programs repeat 50,000 to 100,000 times. */
const maxSpins = 1_000_000

const endOfChain = 0xfffffffa

function readStreams(file: Buffer, names: readonly string[]): (Buffer | undefined)[] {
  const sectorBytes = 1 << file.readUInt16LE(30)
  const miniBytes = 1 << file.readUInt16LE(32)
  if (sectorBytes > 4_096 || miniBytes > sectorBytes || miniBytes < 8) return []
  const sector = (number: number) => file.subarray((number + 1) * sectorBytes, (number + 2) * sectorBytes)
  const numbersIn = (part: Buffer) =>
    Array.from({ length: part.length >> 2 }, (_, index) => part.readUInt32LE(index * 4))
  const tables = numbersIn(file.subarray(76, 512))
  for (
    let next = file.readUInt32LE(68), left = file.length / sectorBytes;
    next < endOfChain && left > 0;
    left -= 1
  ) {
    const more = numbersIn(sector(next))
    next = more.pop() ?? endOfChain
    tables.push(...more)
  }
  const following = tables
    .filter((number) => number < endOfChain)
    .flatMap((number) => numbersIn(sector(number)))
  const readChain = (first: number, next: readonly number[], read: (number: number) => Buffer) => {
    const parts: Buffer[] = []
    for (let at = first; at < endOfChain && parts.length <= next.length; at = next[at] ?? endOfChain)
      parts.push(read(at))
    return Buffer.concat(parts)
  }
  const entries = readChain(file.readUInt32LE(48), following, sector)
  const miniFollowing = numbersIn(readChain(file.readUInt32LE(60), following, sector))
  const minis = readChain(entries.readUInt32LE(116), following, sector)
  return names.map((name) => {
    const at = entries.indexOf(Buffer.from(`${name}\0`, 'utf16le'))
    if (at < 0 || at % 128 !== 0) return undefined
    const first = entries.readUInt32LE(at + 116)
    const size = entries.readUInt32LE(at + 120)
    const content =
      size < file.readUInt32LE(56)
        ? readChain(first, miniFollowing, (number) =>
            minis.subarray(number * miniBytes, (number + 1) * miniBytes),
          )
        : readChain(first, following, sector)
    return content.subarray(0, size)
  })
}

const toBytes = (number: number) => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(number)
  return bytes
}

function hash(algorithm: string, ...parts: Uint8Array[]): Buffer {
  const sum = createHash(algorithm)
  for (const part of parts) sum.update(part)
  return sum.digest()
}

function spin(algorithm: string, salt: Buffer, count: number): Buffer {
  let digest = hash(algorithm, salt, defaultPassword)
  for (let round = 0; round < count; round += 1) digest = hash(algorithm, toBytes(round), digest)
  return digest
}

function decipher(cipher: string, key: Buffer, iv: Buffer | null, content: Buffer): Buffer {
  const decryption = createDecipheriv(cipher, key, iv).setAutoPadding(false)
  return Buffer.concat([decryption.update(content), decryption.final()])
}

const fit = (bytes: Buffer, length: number) =>
  bytes.length >= length
    ? bytes.subarray(0, length)
    : Buffer.concat([bytes, Buffer.alloc(length - bytes.length, 0x36)])

const segmentBytes = 4_096

/** MS-OFFCRYPTO 2.3.4.10 to 2.3.4.15. */
function decryptAgile(info: Buffer, content: Buffer): Buffer | undefined {
  const elements = new Map(
    [...info.toString('utf8', 8).matchAll(/<(?:\w{1,20}:)?(keyData|encryptedKey)\s([^<>]{0,4000})/g)].map(
      ([, element, content = '']) => [
        element,
        new Map(
          [...content.matchAll(/(\w{1,40})="([^"]{0,1000})"/g)].map(([, name, value = '']) => [name, value]),
        ),
      ],
    ),
  )
  const settings = (element: string) => {
    const read = (name: string) => elements.get(element)?.get(name) ?? ''
    const binary = (name: string) => Buffer.from(read(name), 'base64')
    return {
      algorithm: read('hashAlgorithm').replace('-', '').toLowerCase(),
      cipher: `aes-${read('keyBits')}-cbc`,
      keyBytes: Number(read('keyBits')) / 8,
      blockBytes: Number(read('blockSize')),
      salt: binary('saltValue'),
      spins: Number(read('spinCount')),
      binary,
    }
  }
  const { algorithm, cipher, keyBytes, blockBytes, salt, spins, binary } = settings('encryptedKey')
  if (!(spins <= maxSpins)) return undefined
  const digest = spin(algorithm, salt, spins)
  const read = (name: string, block: string) =>
    decipher(
      cipher,
      fit(hash(algorithm, digest, Buffer.from(block, 'hex')), keyBytes),
      fit(salt, blockBytes),
      binary(name),
    )
  const verifier = hash(algorithm, read('encryptedVerifierHashInput', 'fea7d2763b4b9e79'))
  const expected = read('encryptedVerifierHashValue', 'd7aa0f6d3061344e')
  if (!verifier.equals(expected.subarray(0, verifier.length))) return undefined
  const data = settings('keyData')
  const key = read('encryptedKeyValue', '146e0be7abacd0d6').subarray(0, data.keyBytes)
  const parts: Buffer[] = []
  for (let at = 0; at < content.length; at += segmentBytes) {
    const iv = fit(hash(data.algorithm, data.salt, toBytes(at / segmentBytes)), data.blockBytes)
    const segment = content.subarray(at, Math.min(at + segmentBytes, content.length - (content.length % 16)))
    parts.push(decipher(data.cipher, key, iv, segment))
  }
  return Buffer.concat(parts)
}

/** MS-OFFCRYPTO 2.3.4.5 to 2.3.4.9. */
function decryptStandard(info: Buffer, content: Buffer): Buffer | undefined {
  const verifierAt = 12 + info.readUInt32LE(8)
  const keyBits = info.readUInt32LE(28)
  const salt = info.subarray(verifierAt + 4, verifierAt + 20)
  const digest = hash('sha1', spin('sha1', salt, 50_000), toBytes(0))
  const derive = (fill: number) => {
    const block = Buffer.alloc(64, fill)
    for (const [index, byte] of digest.entries()) block[index] = byte ^ fill
    return hash('sha1', block)
  }
  const key = Buffer.concat([derive(0x36), derive(0x5c)]).subarray(0, keyBits / 8)
  const read = (part: Buffer) => decipher(`aes-${keyBits}-ecb`, key, null, part)
  const verifier = hash('sha1', read(info.subarray(verifierAt + 20, verifierAt + 36)))
  const expected = read(info.subarray(verifierAt + 40, verifierAt + 72))
  return verifier.equals(expected.subarray(0, 20))
    ? read(content.subarray(0, content.length - (content.length % 16)))
    : undefined
}

export const isCompound = (bytes: Uint8Array): boolean =>
  Buffer.from(bytes.subarray(0, 8)).toString('hex') === 'd0cf11e0a1b11ae1'

/** @returns the package in a compound file that Excel would open without a question; undefined if it has a password of its own */
export function decryptPackage(bytes: Uint8Array): Uint8Array | undefined {
  try {
    const file = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    const [info, encrypted] = readStreams(file, ['EncryptionInfo', 'EncryptedPackage'])
    if (!info || !encrypted) return undefined
    const decrypt = info.readUInt32LE(0) === 0x40004 ? decryptAgile : decryptStandard
    return decrypt(info, encrypted.subarray(8))?.subarray(0, encrypted.readUInt32LE(0))
  } catch {
    // damaged, or in a way that is not known
    return undefined
  }
}
