/** Runs in the page: a microphone that hums, as `globalThis.microphone`, unless `globalThis.isMuted`. */
export function addMicrophone(): void {
  navigator.mediaDevices.getUserMedia = () => {
    const context = new AudioContext()
    const hum = context.createOscillator()
    const target = context.createMediaStreamDestination()
    const volume = new GainNode(context, { gain: Reflect.get(globalThis, 'isMuted') ? 0.001 : 1 })
    hum.connect(volume).connect(target)
    hum.start()
    Object.assign(globalThis, { microphone: target.stream })
    return Promise.resolve(target.stream)
  }
}
