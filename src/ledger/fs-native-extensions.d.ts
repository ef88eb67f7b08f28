declare module 'fs-native-extensions' {
  const native: {
    /** False where another open file has a lock that stands against it. Throws the file system's errors. */
    tryLock(fd: number, options?: { shared?: boolean }): boolean;
  };
  export default native;
}
