import { expect, it } from 'vitest'
import { readJpegFacts } from './jpeg-facts.ts'

const bigEndian = (value: number) => [value >> 8, value & 0xff]
const segment = (marker: number, content: readonly number[]) => [
  0xff,
  marker,
  ...bigEndian(content.length + 2),
  ...content,
]
const frame = (components: number, marker = 0xc0) => segment(marker, [8, 0, 1, 0, 1, components, 0, 0, 0, 0])

/** EXIF with one other tag and the orientation. */
function exif(orientation: number, isLittleEndian = false): number[] {
  const short = (value: number) => (isLittleEndian ? bigEndian(value).toReversed() : bigEndian(value))
  const long = (value: number) => (isLittleEndian ? [...short(value), 0, 0] : [0, 0, ...short(value)])
  const entry = (tag: number, value: number) => [
    ...short(tag),
    ...short(3),
    ...long(1),
    ...short(value),
    ...short(0),
  ]
  const order = isLittleEndian ? [0x49, 0x49] : [0x4d, 0x4d]
  return segment(0xe1, [
    // Exif
    0x45,
    0x78,
    0x69,
    0x66,
    0,
    0,
    ...order,
    ...short(42),
    ...long(8),
    ...short(2),
    ...entry(0x0100, 9),
    ...entry(0x0112, orientation),
  ])
}
const jpeg = (...segments: number[][]) => Uint8Array.from([0xff, 0xd8, ...segments.flat()])

it.each([
  ['plain', jpeg(segment(0xe0, [0, 0]), frame(3)), { orientation: 1, components: 3, width: 1, height: 1 }],
  ['turned', jpeg(exif(6), frame(3)), { orientation: 6, components: 3, width: 1, height: 1 }],
  [
    'turned, in the other byte order',
    jpeg(exif(8, true), frame(3)),
    { orientation: 8, components: 3, width: 1, height: 1 },
  ],
  ['CMYK', jpeg(segment(0xee, [1, 2, 3]), frame(4)), { orientation: 1, components: 4, width: 1, height: 1 }],
  [
    'progressive',
    jpeg(segment(0xc4, [4, 4, 4, 4, 4, 4, 4, 4]), frame(4, 0xc2)),
    { orientation: 1, components: 4, width: 1, height: 1 },
  ],
  [
    'with XMP beside EXIF',
    jpeg(exif(3), segment(0xe1, [0x68, 0x74, 0x74, 0x70, 0, 0]), frame(1)),
    { orientation: 3, components: 1, width: 1, height: 1 },
  ],
])('reads a JPEG that is %s', (_, bytes, facts) => {
  expect(readJpegFacts(bytes)).toEqual(facts)
})

it('ends with a file that is cut anywhere, and with segments that claim any length', () => {
  const bytes = jpeg(exif(6), frame(3))
  for (let length = 0; length < bytes.length; length += 1)
    expect(readJpegFacts(bytes.subarray(0, length)).components).toBe(3)
  for (let at = 2; at < bytes.length; at += 1) readJpegFacts(bytes.with(at, 0xff))
})
