/** Appends LEB128 numbers (at most 32 bits) and bytes to a buffer that grows. */
export class ByteWriter {
  #bytes = new Uint8Array(1024)
  #length = 0

  get length(): number {
    return this.#length
  }

  #reserve(bytes: number): void {
    if (this.#length + bytes <= this.#bytes.length) return
    const larger = new Uint8Array(Math.max(this.#bytes.length * 2, this.#length + bytes))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }

  number(value: number): void {
    this.#reserve(5)
    let rest = value
    while (rest > 127) {
      this.#bytes[this.#length++] = (rest & 127) | 128
      rest >>>= 7
    }
    this.#bytes[this.#length++] = rest
  }

  bytes(value: Uint8Array): void {
    this.#reserve(value.length)
    this.#bytes.set(value, this.#length)
    this.#length += value.length
  }

  clear(): void {
    this.#length = 0
  }

  /** The written bytes; valid until the next write. */
  view(): Uint8Array {
    return this.#bytes.subarray(0, this.#length)
  }
}

/** Reads what `ByteWriter` wrote. Beyond the end, numbers are 0 and texts are empty. */
export class ByteReader {
  #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  number(): number {
    let value = 0
    for (let shift = 0; shift < 35; shift += 7) {
      const byte = this.#bytes[this.at++] ?? 0
      value |= (byte & 127) << shift
      if (byte < 128) break
    }
    return value >>> 0
  }

  text(bytes: number): string {
    const part = Buffer.from(
      this.#bytes.buffer,
      this.#bytes.byteOffset + this.at,
      Math.min(bytes, this.#bytes.length - this.at),
    )
    this.at += bytes
    return part.toString('utf8')
  }
}
