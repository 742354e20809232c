/** The environment, with the folders of administrators' programs, which not every path names. */
export function environment(variables: NodeJS.ProcessEnv = process.env): NodeJS.ProcessEnv {
  return { ...variables, PATH: `${variables["PATH"] ?? ""}:/usr/sbin:/sbin` };
}
