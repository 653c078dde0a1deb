import { useMemo } from 'react'
import { encode } from 'uqr'

const widthPx = 256
/** The quiet zone that ISO/IEC 18004 requires, without which scanners may not find a code on a dark page. */
const marginModules = 4

/** A QR code: black on white in both themes, smaller on phones. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { path, size } = useMemo(() => {
    const { data, size } = encode(text, { ecc: 'M', border: marginModules })
    const rows = data.map((row, y) => row.map((dark, x) => (dark ? `M${x} ${y}h1v1h-1z` : '')).join(''))
    return { path: rows.join(''), size }
  }, [text])
  return (
    <svg
      role="img"
      aria-label={label}
      width={widthPx}
      height={widthPx}
      viewBox={`0 0 ${size} ${size}`}
      shapeRendering="crispEdges"
      // on a phone there has to be room for the code that is typed
      className="shrink-0 rounded-md ring-1 ring-line-strong max-sm:size-40"
    >
      <rect width={size} height={size} fill="#ffffff" />
      <path d={path} fill="#000000" />
    </svg>
  )
}
