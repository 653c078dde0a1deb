import { expect, it } from 'vitest'
import { readImageFacts } from '#shared/image-facts.ts'
import { pngOf } from '../../test/support/png-of.ts'
import { scaleImage } from './scale-image.ts'

const limits = { maxSide: 2_000, maxBytes: 3_932_160 }
const scale = async (png: Buffer, { maxSide, maxBytes } = limits) => {
  const { parts } = await scaleImage({ image: png.toString('base64'), maxSide, maxBytes })
  return parts.map(({ type, base64 }) => {
    const facts = readImageFacts(Buffer.from(base64, 'base64'))
    expect(facts?.type).toBe(type)
    return [type, facts?.width, facts?.height]
  })
}

it('a picture for a model is made smaller, and cut where it is many times as long as wide', async () => {
  expect(await scale(pngOf(400, 9_000))).toEqual(Array(5).fill(['image/png', 400, 1_800]))
  expect(await scale(pngOf(1_500, 5_000))).toEqual([
    ['image/png', 1_500, 1_667],
    ['image/png', 1_500, 1_667],
    ['image/png', 1_500, 1_666],
  ])
  expect(await scale(pngOf(9_000, 400))).toEqual(Array(5).fill(['image/png', 1_800, 400]))
  expect(await scale(pngOf(3_000, 2_500), { maxSide: 1_000, maxBytes: 20_000 })).toEqual([
    ['image/png', 1_000, 833],
  ])
})

it('a picture that would not fit into memory is not decoded, whatever else its file has', async () => {
  const bomb = pngOf(1, 1)
  bomb.writeUInt32BE(60_000, 16)
  bomb.writeUInt32BE(60_000, 20)
  expect(await scale(bomb)).toEqual([])
  // cut off, and of a size that its pixels do not have
  const cut = pngOf(400, 9_000).subarray(0, 60)
  expect(await scale(cut)).toEqual([])
})
