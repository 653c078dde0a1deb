import { inflateSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { png } from './document-samples.ts'
import { animatedPng, readPng, type Image } from './animated-png.ts'

/** The chunks of a PNG, in order. */
function readChunks(file: Buffer): { type: string; data: Buffer }[] {
  const chunks = []
  for (let at = 8; at < file.length; at += file.readUInt32BE(at) + 12)
    chunks.push({
      type: file.toString('latin1', at + 4, at + 8),
      data: file.subarray(at + 8, at + 8 + file.readUInt32BE(at)),
    })
  return chunks
}

const white = [255, 255, 255]
const image = (...colours: number[][]): Image => ({
  width: 3,
  height: 2,
  pixels: Uint8Array.from(colours.flat()),
})

it('reads the pixels of a PNG', () => {
  const { width, height, pixels } = readPng(png(3, 2, [1, 2, 3]))
  expect([width, height, ...pixels]).toEqual([3, 2, ...Array.from({ length: 6 }, () => [1, 2, 3]).flat()])
})

it('writes the first frame whole, the others as changes, and merges equal frames into a longer one', () => {
  const first = image(white, white, white, white, white, white)
  const second = image(white, white, white, white, [9, 9, 9], [8, 8, 8])
  const file = animatedPng([
    { image: first, ms: 100 },
    { image: first, ms: 50 },
    { image: second, ms: 200 },
  ])
  const chunks = readChunks(file)
  expect(chunks.map(({ type }) => type)).toEqual([
    'IHDR',
    'acTL',
    'PLTE',
    'fcTL',
    'IDAT',
    'fcTL',
    'fdAT',
    'IEND',
  ])
  const [, , palette, , firstFrame, secondControl, secondFrame] = chunks.map(({ data }) => data)
  expect([...(palette ?? [])]).toEqual([...white, 8, 8, 8, 9, 9, 9])
  expect([...inflateSync(firstFrame ?? Buffer.alloc(0))]).toEqual([0, 0, 0, 0, 0, 0, 0, 0])
  // sequence, width, height, x, y; then the time, and for the first frame 100 + 50 ms
  expect([0, 4, 8, 12, 16].map((at) => secondControl?.readUInt32BE(at))).toEqual([1, 2, 1, 1, 1])
  expect([chunks[3]?.data.readUInt16BE(20), secondControl?.readUInt16BE(20)]).toEqual([150, 200])
  expect([...inflateSync(secondFrame?.subarray(4) ?? Buffer.alloc(0))]).toEqual([0, 2, 1])
})
