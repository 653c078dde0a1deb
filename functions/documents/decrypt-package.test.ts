import { createCipheriv, createHash } from 'node:crypto'
import { expect, it } from 'vitest'
import { xlsx } from '../../test/support/documents.ts'
import { detectKind } from './detect-kind.ts'
import { readWorkbook } from './read-workbook.ts'

const sector = 512
const none = 0xffffffff
const end = 0xfffffffe
const numbers = (values: readonly number[]) => {
  const bytes = Buffer.alloc(values.length * 4)
  for (const [index, value] of values.entries()) bytes.writeUInt32LE(value, index * 4)
  return bytes
}
const fill = (bytes: Buffer, size: number, by = 0) =>
  Buffer.concat([bytes, Buffer.alloc((size - (bytes.length % size)) % size, by)])

/** A compound file with a small stream among the small ones, and a large one. */
function compound(info: Buffer, content: Buffer): Buffer {
  const minis = fill(info, 64)
  const parts = [fill(minis, sector), fill(content, sector)]
  const entry = (name: string, type: number, first: number, size: number) => {
    const bytes = Buffer.alloc(128)
    bytes.write(`${name}\0`, 'utf16le')
    bytes.writeUInt16LE((name.length + 1) * 2, 64)
    bytes[66] = type
    numbers([none, none, none]).copy(bytes, 68)
    numbers([first, size, 0]).copy(bytes, 116)
    return bytes
  }
  const chain = (from: number, count: number) =>
    Array.from({ length: count }, (_, index) => (index === count - 1 ? end : from + index + 1))
  const counts = parts.map((part) => part.length / sector)
  const [small = 0, large = 0] = counts
  // sectors: the table, its directory, the table of small sectors, the small ones, the large stream
  const table = [0xfffffffd, end, end, ...chain(3, small), ...chain(3 + small, large)]
  const header = Buffer.alloc(sector, 0)
  Buffer.from('d0cf11e0a1b11ae1', 'hex').copy(header)
  header.writeUInt16LE(9, 30)
  header.writeUInt16LE(6, 32)
  numbers([1]).copy(header, 44)
  numbers([1]).copy(header, 48)
  numbers([4_096, 2, 1, end, 0, 0, ...Array<number>(108).fill(none)]).copy(header, 56)
  return Buffer.concat([
    header,
    fill(numbers(table), sector, 0xff),
    entry('Root Entry', 5, 3, minis.length),
    entry('EncryptionInfo', 2, 0, info.length),
    entry('EncryptedPackage', 2, 3 + small, content.length),
    Buffer.alloc(128),
    fill(numbers(chain(0, minis.length / 64)), sector, 0xff),
    ...parts,
  ])
}

const hash = (algorithm: string, ...parts: Buffer[]) =>
  createHash(algorithm).update(Buffer.concat(parts)).digest()
const encipher = (cipher: string, key: Buffer, iv: Buffer | null, content: Buffer) => {
  const encryption = createCipheriv(cipher, key, iv).setAutoPadding(false)
  return Buffer.concat([encryption.update(fill(content, 16)), encryption.final()])
}
function spin(algorithm: string, salt: Buffer, password: string, count: number) {
  let digest = hash(algorithm, salt, Buffer.from(password, 'utf16le'))
  for (let round = 0; round < count; round += 1) digest = hash(algorithm, numbers([round]), digest)
  return digest
}
const withSize = (size: number, content: Buffer) => Buffer.concat([numbers([size, 0]), content])

function encryptAgile(bytes: Uint8Array, password: string): Buffer {
  const [salt, dataSalt, key, verifier] = [1, 2, 3, 4].map((by) => Buffer.alloc(by === 3 ? 32 : 16, by)) as [
    Buffer,
    Buffer,
    Buffer,
    Buffer,
  ]
  const digest = spin('sha512', salt, password, 1_000)
  const write = (content: Buffer, block: string) =>
    encipher(
      'aes-256-cbc',
      hash('sha512', digest, Buffer.from(block, 'hex')).subarray(0, 32),
      salt,
      content,
    ).toString('base64')
  const common = 'blockSize="16" keyBits="256" hashSize="64" cipherAlgorithm="AES" hashAlgorithm="SHA512"'
  const info = `<encryption xmlns:p="p"><keyData saltSize="16" ${common} saltValue="${dataSalt.toString('base64')}"/><keyEncryptors><keyEncryptor><p:encryptedKey spinCount="1000" ${common} saltValue="${salt.toString('base64')}" encryptedVerifierHashInput="${write(verifier, 'fea7d2763b4b9e79')}" encryptedVerifierHashValue="${write(hash('sha512', verifier), 'd7aa0f6d3061344e')}" encryptedKeyValue="${write(key, '146e0be7abacd0d6')}"/></keyEncryptor></keyEncryptors></encryption>`
  const parts: Buffer[] = []
  for (let at = 0; at < bytes.length; at += 4_096) {
    const iv = hash('sha512', dataSalt, numbers([at / 4_096])).subarray(0, 16)
    parts.push(encipher('aes-256-cbc', key, iv, Buffer.from(bytes.subarray(at, at + 4_096))))
  }
  return compound(
    Buffer.concat([numbers([0x40004, 0x40]), Buffer.from(info)]),
    withSize(bytes.length, Buffer.concat(parts)),
  )
}

function encryptStandard(bytes: Uint8Array, password: string): Buffer {
  const [salt, verifier] = [Buffer.alloc(16, 1), Buffer.alloc(16, 2)]
  const digest = hash('sha1', spin('sha1', salt, password, 50_000), numbers([0]))
  const block = Buffer.alloc(64, 0x36)
  for (const [index, byte] of digest.entries()) block[index] = byte ^ 0x36
  const key = hash('sha1', block).subarray(0, 16)
  const write = (content: Buffer) => encipher('aes-128-ecb', key, null, content)
  const header = numbers([0x24, 0, 0x660e, 0x8004, 128, 0x18, 0, 0, 0])
  const info = [
    numbers([0x20003, 0x24, header.length]),
    header,
    numbers([16]),
    salt,
    write(verifier),
    numbers([20]),
    write(hash('sha1', verifier)),
  ]
  return compound(Buffer.concat(info), withSize(bytes.length, write(Buffer.from(bytes))))
}

const rows = Array.from({ length: 400 }, (_, row) => [`Oslo ${Math.sin(row)}`, row])
const workbook = xlsx({ Sales: rows })

it.each([
  ['agile', encryptAgile],
  ['standard', encryptStandard],
])('a workbook that Excel opens without a question is read: %s encryption', (_, encrypt) => {
  const bytes = encrypt(workbook, 'VelvetSweatshop')
  expect(detectKind(bytes, 'unknown')).toBe('sheet')
  expect(readWorkbook(bytes)).toEqual(readWorkbook(workbook))
})

it.each([
  ['with a password of its own', encryptAgile(workbook, 'secret')],
  ['with a password of its own, in the older way', encryptStandard(workbook, 'secret')],
  ['that is damaged', encryptAgile(workbook, 'VelvetSweatshop').subarray(0, 2_000)],
])('a workbook %s is refused as encrypted', (_, bytes) => {
  expect(() => detectKind(bytes, 'sheet')).toThrow(expect.objectContaining({ problem: 'encrypted' }))
})
