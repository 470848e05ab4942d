@rem For a step of a workflow: gives the steps after it the environment of Visual Studio's compiler, in which clang
@rem finds the system's headers and libraries.
for /f "usebackq delims=" %%i in (`"%ProgramFiles(x86)%\Microsoft Visual Studio\Installer\vswhere.exe" -latest -products * -property installationPath`) do call "%%i\VC\Auxiliary\Build\vcvars64.bat" || exit /b 1
>>"%GITHUB_ENV%" echo INCLUDE=%INCLUDE%
>>"%GITHUB_ENV%" echo LIB=%LIB%
>>"%GITHUB_ENV%" echo PATH=%PATH%
