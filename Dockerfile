# The base brings Node and npm, by digest: what is built today is built tomorrow. Dependabot moves it.
# An argument, so that a mirror or a base of your own can stand in.
ARG BASE=node:24.18.0-bookworm-slim@sha256:6f7b03f7c2c8e2e784dcf9295400527b9b1270fd37b7e9a7285cf83b6951452d

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY tools/node/package.json ./tools/node/
# The base's own Node runs the build: the pinned one of a development machine stays out. No script of a package runs.
RUN npm ci --ignore-scripts --workspaces=false
COPY scripts/build.ts ./scripts/
COPY src ./src
RUN node scripts/build.ts

FROM ${BASE}
ENV NODE_ENV=production \
    HOST=0.0.0.0 \
    PORT=3000 \
    RECHECK_DATA=/data
WORKDIR /app
RUN mkdir -p /data && chown 1000:1000 /data
COPY --from=build /app/dist ./dist
COPY bin ./bin
# No report: the server of an App needs none, and any other has its own.
COPY package.json ./
USER 1000:1000
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=1m --timeout=5s --start-period=20s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/health`).then((r) => process.exit(r.ok ? 0 : 1), () => process.exit(1))"]
# The server; for one scan: docker run … recheck node bin/recheck.cjs scan
CMD ["node", "bin/recheck.cjs", "start"]
