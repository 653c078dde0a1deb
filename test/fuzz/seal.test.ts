import { expect, it } from 'vitest'
import { arbitraryText, fc, wellFormedText } from '../support/fuzz.ts'
import { sealer } from '../../functions/platform/secrets/seal.ts'

const newestSealer = sealer({ read: async () => 'newest\nolder' }, 'key')
const olderSealer = sealer({ read: async () => 'older' }, 'key')

it('a sealed value opens unchanged, also with a replaced key', async () => {
  await fc.assert(
    fc.asyncProperty(wellFormedText(), wellFormedText(), async (plain, context) => {
      expect(await newestSealer.open(await newestSealer.seal(plain, context), context)).toBe(plain)
      expect(await newestSealer.open(await olderSealer.seal(plain, context), context)).toBe(plain)
    }),
  )
})

it('opens in no other context, and sealing a value again gives another text', async () => {
  await fc.assert(
    fc.asyncProperty(wellFormedText(), wellFormedText(), wellFormedText(), async (plain, context, other) => {
      fc.pre(context !== other)
      const sealed = await newestSealer.seal(plain, context)
      await expect(newestSealer.open(sealed, other)).rejects.toThrow()
      expect(await newestSealer.seal(plain, context)).not.toBe(sealed)
    }),
  )
})

it('refuses a value with a changed bit or a missing part, and any other text', async () => {
  await fc.assert(
    fc.asyncProperty(wellFormedText(), fc.nat(), fc.nat(7), async (plain, offset, bit) => {
      const [version = '', id = '', body = ''] = (await newestSealer.seal(plain, 'mine')).split('.')
      const bytes = Buffer.from(body, 'base64url')
      const at = offset % bytes.length
      const shortened = bytes.subarray(0, at)
      bytes[at] = (bytes[at] ?? 0) ^ (1 << bit)
      for (const changed of [bytes, shortened])
        await expect(
          newestSealer.open(`${version}.${id}.${changed.toString('base64url')}`, 'mine'),
        ).rejects.toThrow()
    }),
  )
  await fc.assert(
    fc.asyncProperty(arbitraryText(), async (text) => {
      await expect(newestSealer.open(text, 'mine')).rejects.toThrow()
      await expect(newestSealer.open(`v1.${text}`, 'mine')).rejects.toThrow()
    }),
  )
})

it('hashes a value the same each time, and different values differently', async () => {
  await fc.assert(
    fc.asyncProperty(wellFormedText(), wellFormedText(), async (one, other) => {
      fc.pre(one !== other)
      expect(await newestSealer.fingerprints('use', one)).toEqual(await newestSealer.fingerprints('use', one))
      expect(await newestSealer.fingerprints('use', one)).not.toEqual(
        await newestSealer.fingerprints('use', other),
      )
      expect(await newestSealer.fingerprints('other use', one)).not.toEqual(
        await newestSealer.fingerprints('use', one),
      )
    }),
  )
})
